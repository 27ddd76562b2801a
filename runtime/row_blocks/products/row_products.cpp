// SPDX-License-Identifier: BSD-3-Clause
#include "row_blocks/products/row_products.hpp"

#include <algorithm>
#include <cmath>

#include "frond/base/instantiate.hpp"
#include "ranks/parcels.hpp"
#include "row_blocks/products/for_block_rows.hpp"
#include "row_blocks/row_plan.hpp"

namespace frond::detail {
namespace {

/// A vector as a matrix of that many rows.
template <class T>
DenseView<T> as_columns(std::vector<T>& v, index_t rows, index_t cols) {
    return {v.data(), rows, cols, std::max(rows, 1)};
}

}  // namespace

/// Rows of symmetric and Hermitian matrices are columns, but for the conjugation that apply() sees to.
template <class T>
const BlockRows<T>& RowProducts<T>::rows_of(Communicator& ranks, Operation op) {
    if (op == Operation::none || a_.pattern->symmetry != Symmetry::general) return a_;
    if (transposed_.pattern == nullptr) transposed_ = transposed_rows(ranks, *a_.pattern, *a_.value);
    return transposed_;
}

template <class T>
typename RowProducts<T>::Sums RowProducts<T>::apply(Communicator& ranks, Operation op, DenseView<const T> x) {
    const BlockRows<T>& rows = rows_of(ranks, op);
    const bool hermitian = rows.pattern->symmetry == Symmetry::hermitian;
    const RowCuts& cuts = rows.pattern->cuts;
    Sums block, whole;
    const auto make_room = [&](Sums& sums, index_t of_rows) {
        sums.product.resize(at(of_rows) * at(x.cols));
        sums.sizes.resize(sums.product.size());
    };
    collectively(ranks, [&] {
        make_room(block, rows.pattern->rows());
        if (ranks.rank() == 0) make_room(whole, cuts.order());
        sum_rows(rows, op == (hermitian ? Operation::transpose : Operation::adjoint), x, block);
    });
    const auto gather = [&](auto& from, auto& to) {
        using S = typename std::decay_t<decltype(from)>::value_type;
        gather_rows<S>(ranks, cuts, as_columns(from, rows.pattern->rows(), x.cols),
                       as_columns(to, cuts.order(), x.cols));
    };
    gather(block.product, whole.product);
    gather(block.sizes, whole.sizes);
    return whole;
}

/// Adds up the products of this rank's rows.
template <class T>
void RowProducts<T>::sum_rows(const BlockRows<T>& rows, bool conjugates, DenseView<const T> x, Sums& sums) const {
    const BlockPattern& pattern = *rows.pattern;
    const LargeVector<T>& value = *rows.value;
    for_block_rows(pattern.rows(), parallel_for_, [&](index_t i) {
        for (index_t k = 0; k < x.cols; ++k) {
            const T* const column = x.column(k);
            T sum(0);
            real_t<T> size(0);
            for (count_t e = pattern.begin[at(i)]; e < pattern.begin[at(i) + 1]; ++e) {
                const T entry = conjugates ? conjugate(value[at(e)]) : value[at(e)], xj = column[pattern.column[at(e)]];
                sum += entry * xj;
                size += std::abs(entry) * std::abs(xj);
            }
            const std::size_t place = at(i) + at(k) * at(pattern.rows());
            sums.product[place] = sum;
            sums.sizes[place] = size;
        }
    });
}

template <class T>
std::vector<index_t> RowProducts<T>::entries_of_rows(Communicator& ranks, Operation op) {
    const BlockPattern& pattern = *rows_of(ranks, op).pattern;
    std::vector<index_t> mine;
    collectively(ranks, [&] {
        for (index_t i = 0; i < pattern.rows(); ++i)
            mine.push_back(static_cast<index_t>(pattern.begin[at(i) + 1] - pattern.begin[at(i)]));
    });
    return at_rank_0(ranks, mine);
}

#define FROND_INSTANTIATE(T) template class RowProducts<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
