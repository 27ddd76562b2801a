// SPDX-License-Identifier: BSD-3-Clause
// What makes the first rows of a strip of a front the right factor of its product, on the device that the host plays.
#include "kernels/level_batch/contribution_strip.hpp"

#include "frond/base/vector_index.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// A block inside a larger one, and the numbers around it.
template <class T>
struct Block {
    index_t rows, columns, ld;
    std::vector<T> data;

    Block(index_t m, index_t n, std::uint64_t seed) : rows(m), columns(n), ld(m + 3), data(at((m + 3) * (n + 1))) {
        Random random(seed);
        for (T& v : data) v = random.value<T>();
    }
    T& operator()(index_t i, index_t j) { return data[at(i + j * static_cast<count_t>(ld))]; }
    DenseView<T> view() { return {data.data(), rows, columns, ld}; }
};

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("rows of a strip in the order of their pivots", T, ordered) {
    constexpr index_t shift = 17;
    for (const index_t rows : {1, 40, 700, gpu::most_ordered_rows}) {
        CAPTURE(rows);
        std::vector<index_t> perm(at(rows));
        std::iota(perm.begin(), perm.end(), shift);
        Random random(3);
        for (index_t i = rows - 1; i > 0; --i) std::swap(perm[at(i)], perm[at(random.below(i + 1))]);
        Block<T> strip(rows, 5, 4), before = strip;
        gpu::order_rows<T>(nullptr, perm.data(), shift, strip.view());
        index_t wrong = 0;
        for (index_t j = 0; j < 5; ++j)
            for (index_t k = 0; k < strip.ld; ++k)
                wrong += same_bits(strip(k, j), before(k < rows ? perm[at(k)] - shift : k, j)) ? 0 : 1;
        CHECK(wrong == 0);
    }
}
TEST_CASE_TEMPLATE_APPLY(ordered, Scalars);

// Pivots of one column and of two, some across the borders of the kernel's tiles.
TEST_CASE_TEMPLATE_DEFINE("rows of a strip from L and its pivots", T, multiplied) {
    constexpr index_t npiv = 75, columns = 43;
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::ldlh}) {
        CAPTURE(static_cast<int>(kind));
        const bool hermitian = kind != Factorization::ldlt;
        Block<T> l(columns, npiv, 5), to(npiv, columns, 6), before = to;
        Random random(7);
        std::vector<T> pivots(2 * at(npiv), T(0));
        for (index_t k = 0; k < npiv; ++k) {
            pivots[at(2 * k)] = kind == Factorization::ldlh ? T(real_part(random.value<T>())) : random.value<T>();
            if (k % 31 == 0) pivots[at(2 * k + 1)] = random.value<T>();
        }
        gpu::multiply_by_pivots<T>(nullptr, kind, l.view(), pivots.data(), to.view());
        double worst = 0;
        for (index_t j = 0; j < columns; ++j) {
            for (index_t k = 0; k < npiv; ++k) {
                T x = l(j, k);
                if (kind != Factorization::llt) {
                    x = x * pivots[at(2 * k)];
                    if (k > 0)
                        x += l(j, k - 1) * (hermitian ? conjugate(pivots[at(2 * k - 1)]) : pivots[at(2 * k - 1)]);
                    x += l(j, std::min(k + 1, npiv - 1)) * pivots[at(2 * k + 1)];
                }
                worst = std::max(worst, static_cast<double>(std::abs(to(k, j) - (hermitian ? conjugate(x) : x))));
            }
            for (index_t k = npiv; k < to.ld; ++k) CHECK(same_bits(to(k, j), before(k, j)));
        }
        CHECK(worst <= 20 * epsilon<T>());  // three products of numbers below sqrt(2)
    }
}
TEST_CASE_TEMPLATE_APPLY(multiplied, Scalars);
