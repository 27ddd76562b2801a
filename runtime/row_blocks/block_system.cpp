// SPDX-License-Identifier: BSD-3-Clause
#include "row_blocks/block_system.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "frond/base/instantiate.hpp"
#include "ranks/collectively.hpp"
#include "refinement/linear_system.hpp"
#include "row_blocks/products/for_block_rows.hpp"
#include "row_blocks/products/transposed_rows.hpp"

namespace frond::detail {
namespace {

/// Bits of numbers >= 0 order as numbers do, NaN above infinity: maxima over the ranks of integers.
count_t as_bits(const Largest& largest) { return std::bit_cast<count_t>(largest.value()); }

template <class T>
LargeVector<T> conjugates(LargeVector<T> value) {
    for (T& v : value) v = conjugate(v);
    return value;
}

}  // namespace

template <class T>
BlockSystem<T>::BlockSystem(Communicator& ranks, std::shared_ptr<const BlockPattern> pattern,
                            std::shared_ptr<const LargeVector<T>> value, Operation op,
                            const std::vector<double>& solution_scale, ParallelFor parallel_for)
    : pattern_(std::move(pattern)), value_(std::move(value)), parallel_for_(std::move(parallel_for)) {
    const Symmetry symmetry = pattern_->symmetry;
    if (symmetry == Symmetry::general && op != Operation::none) {
        BlockRows<T> transposed = transposed_rows(ranks, *pattern_, *value_);
        pattern_ = std::move(transposed.pattern);
        value_ = std::move(transposed.value);
    }
    const Operation conjugating = symmetry == Symmetry::hermitian ? Operation::transpose : Operation::adjoint;
    if (is_complex<T> && op == conjugating)
        collectively(ranks, [&] { value_ = std::make_shared<const LargeVector<T>>(conjugates(*value_)); });
    halo_.emplace(ranks, *pattern_);
    tiny_ = tiny_share<T>(cuts().order());
    set_row_sums(ranks, solution_scale);
}

template <class T>
void BlockSystem<T>::set_row_sums(Communicator& ranks, const std::vector<double>& scale) {
    std::vector<count_t> largest(2, 0);  // whether there is a scale, and the norm
    largest[0] = scale.empty() ? 0 : 1;
    ranks.all_reduce_max(largest);
    scaled_ = largest[0] != 0;
    LargeVector<double> s;
    if (scaled_) s = halo_->extended<double>(ranks, {scale.data(), rows(), 1, std::max<index_t>(rows(), 1)});
    const LargeVector<T>& value = *value_;
    collectively(ranks, [&] {
        for (const double of_row : scale) inverse_scale_.push_back(1 / of_row);
        row_sum_.resize(static_cast<std::size_t>(rows()));
        scaled_row_sum_.resize(scaled_ ? row_sum_.size() : 0);
        Largest norm;
        for (std::size_t i = 0; i < row_sum_.size(); ++i) {
            double plain = 0, with_scale = 0;
            for (auto e = static_cast<std::size_t>(pattern_->begin[i]);
                 e < static_cast<std::size_t>(pattern_->begin[i + 1]); ++e) {
                const double size = magnitude(value[e]);
                plain += size;
                if (scaled_) with_scale += size * s[static_cast<std::size_t>(halo_->local_columns()[e])];
            }
            row_sum_[i] = static_cast<real_t<T>>(plain);
            if (scaled_) scaled_row_sum_[i] = static_cast<real_t<T>>(with_scale);
            norm.see(static_cast<double>(row_sum_[i]));
        }
        largest[1] = as_bits(norm);
    });
    ranks.all_reduce_max(largest);
    norm_ = std::bit_cast<double>(largest[1]);
}

template <class T>
void BlockSystem<T>::multiply(Communicator& ranks, DenseView<const T> x, DenseView<T> y) const {
    const LargeVector<T> whole = halo_->extended(ranks, x);
    const LargeVector<T>& value = *value_;
    const auto ld = static_cast<std::size_t>(halo_->extended_rows());
    collectively(ranks, [&] {
        for_block_rows(rows(), parallel_for_, [&](index_t i) {
            const auto row = static_cast<std::size_t>(i);
            for (index_t k = 0; k < x.cols; ++k) {
                const T* const column = whole.data() + static_cast<std::size_t>(k) * ld;
                T sum(0);
                for (auto e = static_cast<std::size_t>(pattern_->begin[row]);
                     e < static_cast<std::size_t>(pattern_->begin[row + 1]); ++e)
                    sum += value[e] * column[halo_->local_columns()[e]];
                y.column(k)[i] = sum;
            }
        });
    });
}

/// R, and weights W := |op(A)| |X| + |B| [rows, cols].
template <class T>
void BlockSystem<T>::residual(const LargeVector<T>& x, DenseView<const T> b, DenseView<T> r,
                              LargeVector<real_t<T>>& w) const {
    const LargeVector<T>& value = *value_;
    const auto ld = static_cast<std::size_t>(halo_->extended_rows()), n = static_cast<std::size_t>(rows());
    for_block_rows(rows(), parallel_for_, [&](index_t i) {
        const auto row = static_cast<std::size_t>(i);
        for (index_t k = 0; k < b.cols; ++k) {
            const T* const column = x.data() + static_cast<std::size_t>(k) * ld;
            T sum = b.column(k)[i];
            real_t<T> weight = std::abs(sum);
            for (auto e = static_cast<std::size_t>(pattern_->begin[row]);
                 e < static_cast<std::size_t>(pattern_->begin[row + 1]); ++e) {
                const T xj = column[halo_->local_columns()[e]];
                sum -= value[e] * xj;
                weight += std::abs(value[e]) * std::abs(xj);
            }
            r.column(k)[i] = sum;
            w[static_cast<std::size_t>(k) * n + row] = weight;
        }
    });
}

/// The norms of x, S^-1 x, b, r in the rows of the block.
template <class T>
std::array<Largest, 4> BlockSystem<T>::norms_of(const T* x, const T* b, const T* r) const {
    return largest_of_rows<4>(rows(), parallel_for_, [&](index_t i, std::array<Largest, 4>& largest) {
        const auto row = static_cast<std::size_t>(i);
        largest[0].see(magnitude(x[row]));
        if (scaled_) largest[1].see(magnitude(x[row]) * inverse_scale_[row]);
        largest[2].see(magnitude(b[row]));
        largest[3].see(magnitude(r[row]));
    });
}

/// weights: those of residual(); norms of x and S^-1 x in all rows.
template <class T>
Largest BlockSystem<T>::componentwise_error(const T* b, const T* r, const real_t<T>* weights, double norm_x,
                                            double scaled_norm_x) const {
    return largest_of_rows<1>(rows(), parallel_for_, [&](index_t i, std::array<Largest, 1>& largest) {
        const auto row = static_cast<std::size_t>(i);
        double most = static_cast<double>(row_sum_[row]) * norm_x;
        if (scaled_) most = std::min(most, static_cast<double>(scaled_row_sum_[row]) * scaled_norm_x);
        const double denominator = error_denominator(static_cast<double>(weights[row]), magnitude(b[row]), most, tiny_);
        largest[0].see(trusted_quotient(magnitude(r[row]), denominator));
    })[0];
}

template <class T>
std::vector<ResidualSizes> BlockSystem<T>::measure(Communicator& ranks, DenseView<const T> x, DenseView<const T> b,
                                                   DenseView<T> r) const {
    const auto cols = static_cast<std::size_t>(x.cols), n = static_cast<std::size_t>(rows());
    const LargeVector<T> whole = halo_->extended(ranks, x);
    LargeVector<real_t<T>> w;
    std::vector<count_t> norms, componentwise;  // of x, S^-1 x, b, r in each column
    collectively(ranks, [&] {
        w.resize(n * cols);
        norms.resize(4 * cols);
        componentwise.resize(cols);
        residual(whole, b, r, w);
        for (index_t k = 0; k < x.cols; ++k) {
            const auto of_column = norms_of(x.column(k), b.column(k), r.column(k));
            std::transform(of_column.begin(), of_column.end(), norms.begin() + 4 * k, as_bits);
        }
    });
    ranks.all_reduce_max(norms);
    const auto norm = [&](std::size_t k, std::size_t which) { return std::bit_cast<double>(norms[4 * k + which]); };
    collectively(ranks, [&] {
        for (std::size_t k = 0; k < cols; ++k) {
            const auto j = static_cast<index_t>(k);
            componentwise[k] =
                as_bits(componentwise_error(b.column(j), r.column(j), w.data() + k * n, norm(k, 0), norm(k, 1)));
        }
    });
    ranks.all_reduce_max(componentwise);
    std::vector<ResidualSizes> sizes;
    for (std::size_t k = 0; k < cols; ++k)
        sizes.push_back({norm(k, 0), norm(k, 2), norm(k, 3), std::bit_cast<double>(componentwise[k])});
    return sizes;
}

template <class T>
count_t BlockSystem<T>::bytes() const {
    return static_cast<count_t>(value_->size() * (sizeof(T) + 2 * sizeof(index_t)) +
                                row_sum_.size() * (2 * sizeof(real_t<T>) + sizeof(double) + sizeof(count_t)));
}

#define FROND_INSTANTIATE(T) template class BlockSystem<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
