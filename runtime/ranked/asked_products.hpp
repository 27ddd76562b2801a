// SPDX-License-Identifier: BSD-3-Clause
// op(A) as rank 0 applies it where several ranks have A.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "frond/base/vector_index.hpp"
#include "refinement/dense_products.hpp"

namespace frond::detail {

/// ask(X, columns) gives Sums, of which product = op(A) X and sizes = |op(A)| |X|, all [n, columns], with the work of all
/// ranks.
template <class T, class Sums>
class AskedProducts final : public DenseOperator<T> {
public:
    using Ask = std::function<Sums(std::vector<T> x, index_t columns)>;
    AskedProducts(index_t order, Ask ask) : order_(order), ask_(std::move(ask)) {}

    index_t order() const override { return order_; }
    void multiply(DenseView<const T> x, DenseView<T> y, const ParallelFor&) const override {
        in_parts(x, [&](index_t first, const Sums& sums) {
            const auto n = static_cast<std::ptrdiff_t>(order_);
            for (auto begin = sums.product.begin(); begin != sums.product.end(); begin += n, ++first)
                std::copy(begin, begin + n, y.column(first));
        });
    }
    void residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w,
                  const ParallelFor&) const override {
        const auto n = at(order_);
        in_parts(x, [&](index_t first, const Sums& sums) {
            for (std::size_t k = 0; k * n < sums.product.size(); ++k)
                for (std::size_t i = 0; i < n; ++i) {
                    const auto row = static_cast<index_t>(i), column = first + static_cast<index_t>(k);
                    w[i + at(column) * n] = sums.sizes[i + k * n] + std::abs(b(row, column));
                    r(row, column) = b(row, column) - sums.product[i + k * n];
                }
        });
    }
    void row_sums(const double* s, std::vector<double>& plain, std::vector<double>& scaled) const override {
        const auto n = at(order_);
        std::vector<T> x(s != nullptr ? 2 * n : n, T(1));
        for (std::size_t i = n; i < x.size(); ++i) x[i] = T(static_cast<real_t<T>>(s[i - n]));
        const auto columns = static_cast<index_t>(s != nullptr ? 2 : 1);
        in_parts({x.data(), order_, columns, std::max(order_, 1)}, [&](index_t, const Sums& sums) {
            plain.assign(sums.sizes.begin(), sums.sizes.begin() + static_cast<std::ptrdiff_t>(n));
            scaled.assign(sums.sizes.begin() + static_cast<std::ptrdiff_t>(n), sums.sizes.end());
        });
    }

private:
    /// Right-hand sides whose sums are under way at one time: each rank holds three vectors for each.
    static constexpr index_t most_columns = 64;

    template <class Take>
    void in_parts(DenseView<const T> x, const Take& take) const {
        for (index_t first = 0; first < x.cols; first += most_columns) {
            const index_t columns = std::min(most_columns, x.cols - first);
            std::vector<T> part;
            for (index_t k = 0; k < columns; ++k)
                part.insert(part.end(), x.column(first + k), x.column(first + k) + x.rows);
            take(first, ask_(std::move(part), columns));
        }
    }

    index_t order_;
    Ask ask_;
};

}  // namespace frond::detail
