// SPDX-License-Identifier: BSD-3-Clause
#include "system/remote_operator.hpp"

#include <algorithm>
#include <cmath>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// Right-hand sides whose sums are under way at one time: each process holds three vectors for each.
constexpr index_t columns_asked = 64;

}  // namespace

/// take(first column, its sums and those of the next ones), columns_asked at a time
template <class T>
template <class Take>
void RemoteOperator<T>::for_some_columns(DenseView<const T> x, const Take& take) const {
    for (index_t first = 0; first < x.cols; first += columns_asked) {
        const index_t columns = std::min(columns_asked, x.cols - first);
        std::vector<T> some;
        for (index_t k = 0; k < columns; ++k)
            some.insert(some.end(), x.column(first + k), x.column(first + k) + x.rows);
        take(first, find_()->sums(op_, std::move(some), columns));
    }
}

template <class T>
void RemoteOperator<T>::multiply(DenseView<const T> x, DenseView<T> y) const {
    for_some_columns(x, [&](index_t first, const ProductSums<T>& sums) {
        const auto n = static_cast<std::ptrdiff_t>(order_);
        for (auto begin = sums.product.begin(); begin != sums.product.end(); begin += n, ++first)
            std::copy(begin, begin + n, y.column(first));
    });
}

template <class T>
void RemoteOperator<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    const std::size_t n = at(order_);
    for_some_columns(x, [&](index_t first, const ProductSums<T>& sums) {
        for (std::size_t k = 0; k * n < sums.product.size(); ++k)
            for (std::size_t i = 0; i < n; ++i) {
                const auto row = static_cast<index_t>(i), column = first + static_cast<index_t>(k);
                w[i + at(column) * n] = sums.sizes[i + k * n] + std::abs(b(row, column));
                r(row, column) = b(row, column) - sums.product[i + k * n];
            }
    });
}

/// As products with e and s, so that no other question is needed.
template <class T>
std::vector<RowSum> RemoteOperator<T>::row_sums(const std::vector<double>* s) const {
    const std::size_t n = at(order_);
    std::vector<T> x(s != nullptr ? 2 * n : n, T(1));
    for (std::size_t i = n; i < x.size(); ++i) x[i] = T(static_cast<real_t<T>>((*s)[i - n]));
    std::vector<RowSum> row_sums(n);
    const DenseView<const T> both{x.data(), order_, s != nullptr ? 2 : 1, std::max(order_, 1)};
    for_some_columns(both, [&](index_t, const ProductSums<T>& sums) {
        for (std::size_t i = 0; i < n; ++i)
            row_sums[i] = {sums.sizes[i], s != nullptr ? static_cast<double>(sums.sizes[n + i]) : 0.0};
    });
    return row_sums;
}

#define FROND_INSTANTIATE(T) template class RemoteOperator<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
