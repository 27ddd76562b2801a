// SPDX-License-Identifier: BSD-3-Clause
// Rows that partial pivoting takes of a tall block, against the textbook.
#include "frond/cpu/pivot_record.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
double size_of_parts(T x) {
    return std::abs(std::real(x)) + std::abs(std::imag(x));
}

/// Swaps of Gaussian elimination with the largest |re| + |im| of each column.
template <class T>
std::vector<index_t> textbook_swaps(index_t m, index_t n, std::vector<T> a) {
    const auto at = [m](index_t i, index_t j) { return static_cast<std::size_t>(i + j * m); };
    std::vector<index_t> swaps;
    for (index_t k = 0; k < n; ++k) {
        index_t p = k;
        for (index_t i = k; i < m; ++i)
            if (size_of_parts(a[at(i, k)]) > size_of_parts(a[at(p, k)])) p = i;
        swaps.push_back(p);
        for (index_t j = 0; j < n; ++j) std::swap(a[at(k, j)], a[at(p, j)]);
        for (index_t i = k + 1; i < m; ++i) {
            const T l = a[at(i, k)] / a[at(k, k)];
            for (index_t j = k + 1; j < n; ++j) a[at(i, j)] -= l * a[at(k, j)];
        }
    }
    return swaps;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("select_pivot_rows takes the rows of partial pivoting", T, pivot_rows) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 1}, {7, 3}, {40, 40}, {150, 70}}) {
        CAPTURE(m);
        std::mt19937_64 random(5);
        std::vector<T> a(static_cast<std::size_t>(m * n));
        for (T& x : a) x = T(static_cast<real_t<T>>(static_cast<double>(random() >> 11) * 0x1p-52 - 1));
        std::vector<T> spoilt = a;
        std::vector<index_t> swaps(static_cast<std::size_t>(n));
        cpu::select_pivot_rows<T>({spoilt.data(), m, n, m}, swaps.data());
        CHECK(swaps == textbook_swaps(m, n, a));
    }
}
TEST_CASE_TEMPLATE_APPLY(pivot_rows, Scalars);

TEST_CASE_TEMPLATE_DEFINE("select_pivot_rows goes on at columns of zeros", T, zero_columns) {
    std::vector<T> a(12, T(0));
    a[2] = T(3);  // column 0, row 2; the others are zero
    std::vector<index_t> swaps(3, -1);
    cpu::select_pivot_rows<T>({a.data(), 4, 3, 4}, swaps.data());
    CHECK(swaps[0] == 2);
    for (index_t k = 1; k < 3; ++k)
        CHECK((swaps[static_cast<std::size_t>(k)] >= k && swaps[static_cast<std::size_t>(k)] < 4));
}
TEST_CASE_TEMPLATE_APPLY(zero_columns, Scalars);
