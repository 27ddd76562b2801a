// SPDX-License-Identifier: BSD-3-Clause
#include "system/rows/row_operator.hpp"

#include <algorithm>
#include <bit>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks/collectively.hpp"
#include "system/rows/for_block_rows.hpp"
#include "system/rows/transposed_rows.hpp"

namespace frond::detail {
namespace {

template <class T>
LargeVector<T> conjugates(LargeVector<T> value) {
    for (T& v : value) v = conjugate(v);
    return value;
}

}  // namespace

template <class T>
RowOperator<T>::RowOperator(Communicator& ranks, std::shared_ptr<const BlockPattern> pattern,
                            std::shared_ptr<const LargeVector<T>> value, Operation op, ParallelFor parallel_for)
    : Operator<T>(std::move(parallel_for)), ranks_(ranks), pattern_(std::move(pattern)), value_(std::move(value)) {
    const Symmetry symmetry = pattern_->symmetry;
    if (symmetry == Symmetry::general && op != Operation::none) {
        BlockRows<T> transposed = transposed_rows(ranks, *pattern_, *value_);
        pattern_ = std::move(transposed.pattern);
        value_ = std::move(transposed.value);
    }
    const Operation conjugating = symmetry == Symmetry::hermitian ? Operation::transpose : Operation::adjoint;
    if (is_complex<T> && op == conjugating)
        together([&] { value_ = std::make_shared<const LargeVector<T>>(conjugates(*value_)); });
    halo_.emplace(ranks, *pattern_);
}

template <class T>
void RowOperator<T>::together(const std::function<void()>& body) const {
    collectively(ranks_, body);
}

/// Bits of numbers >= 0 order as numbers do, and infinity is above all.
template <class T>
void RowOperator<T>::join(std::span<Largest> largest) const {
    std::vector<count_t> bits;
    where_large(ranks_, static_cast<count_t>(largest.size() * sizeof(count_t)), [&] {
        for (const Largest& mine : largest) bits.push_back(std::bit_cast<count_t>(mine.value()));
    });
    ranks_.all_reduce_max(bits);
    for (std::size_t i = 0; i < bits.size(); ++i) largest[i].see(std::bit_cast<double>(bits[i]));
}

template <class T>
template <class Visit>
void RowOperator<T>::for_entries_of_row(index_t row, const Visit& visit) const {
    const LargeVector<T>& value = *value_;
    const std::vector<index_t>& column = halo_->local_columns();
    for (std::size_t e = at(pattern_->begin[at(row)]); e < at(pattern_->begin[at(row) + 1]); ++e)
        visit(value[e], column[e]);
}

template <class T>
void RowOperator<T>::multiply(DenseView<const T> x, DenseView<T> y) const {
    const LargeVector<T> whole = halo_->extended(ranks_, x);
    together([&] {
        for_block_rows(rows(), this->parallel_for(), [&](index_t i) {
            for (index_t k = 0; k < x.cols; ++k) {
                const T* const xk = whole.data() + count_t{k} * halo_->extended_rows();
                T sum(0);
                for_entries_of_row(i, [&](T entry, index_t j) { sum += entry * xk[j]; });
                y.column(k)[i] = sum;
            }
        });
    });
}

template <class T>
void RowOperator<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    const LargeVector<T> whole = halo_->extended(ranks_, x);
    together([&] {
        for_block_rows(rows(), this->parallel_for(), [&](index_t i) {
            for (index_t k = 0; k < b.cols; ++k) {
                const T* const xk = whole.data() + count_t{k} * halo_->extended_rows();
                T sum = b.column(k)[i];
                real_t<T> weight = std::abs(sum);
                for_entries_of_row(i, [&](T entry, index_t j) {
                    sum -= entry * xk[j];
                    weight += std::abs(entry) * std::abs(xk[j]);
                });
                r.column(k)[i] = sum;
                w[i + count_t{k} * rows()] = weight;
            }
        });
    });
}

template <class T>
std::vector<RowSum> RowOperator<T>::row_sums(const std::vector<double>* s) const {
    LargeVector<double> whole;
    if (s != nullptr) whole = halo_->extended<double>(ranks_, {s->data(), rows(), 1, std::max(rows(), 1)});
    std::vector<RowSum> sums;
    together([&] {
        sums.resize(at(rows()));
        for (index_t i = 0; i < rows(); ++i)
            for_entries_of_row(i, [&](T entry, index_t j) {
                const double size = magnitude(entry);
                sums[at(i)].plain += size;
                if (s != nullptr) sums[at(i)].scaled += size * whole[at(j)];
            });
    });
    return sums;
}

template <class T>
std::vector<index_t> RowOperator<T>::entries_of_rows() const {
    std::vector<index_t> entries;
    together([&] {
        for (index_t i = 0; i < rows(); ++i)
            entries.push_back(static_cast<index_t>(pattern_->begin[at(i) + 1] - pattern_->begin[at(i)]));
    });
    return entries;
}

#define FROND_INSTANTIATE(T) template class RowOperator<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
