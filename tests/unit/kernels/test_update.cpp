// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

using namespace frond;
using namespace frond::test;

namespace {

struct ProductSizes {
    index_t m, n, k;
};

constexpr ProductSizes update_sizes[] = {{0, 3, 2},   {3, 0, 2},   {4, 5, 0},      {1, 1, 1},    {2, 3, 1},
                                         {7, 8, 3},   {8, 7, 16},  {9, 9, 8},      {23, 17, 5},  {24, 8, 32},
                                         {25, 9, 33}, {31, 64, 7}, {49, 31, 12},   {65, 33, 64}, {100, 129, 31},
                                         {47, 5, 65}, {3, 100, 2}, {129, 65, 100}, {200, 37, 20}};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("C - A B and C - A B^T, B^H", T, update_general_cases) {
    for (const ProductSizes& s : update_sizes) {
        CAPTURE(s.m);
        CAPTURE(s.n);
        CAPTURE(s.k);
        const auto a = random_matrix<T>(s.m, s.k, 1);
        const auto b = random_matrix<T>(s.k, s.n, 2), b_t = random_matrix<T>(s.n, s.k, 3);
        const auto c = random_matrix<T>(s.m, s.n, 4);
        auto result = c;
        cpu::update_general<T>(a.view(), b.view(), result.view());
        CHECK(reference::relative_difference(exact(result), exact(c) - exact(a) * exact(b)) <= rounding_bound<T>(s.k));
        CHECK(result.padding_intact());
        for (const bool adjoint : {false, true}) {
            result = c;
            cpu::update_transposed<T>(a.view(), b_t.view(), adjoint, result.view());
            const auto expected = exact(c) - exact(a) * exact(b_t).transposed(adjoint);
            CHECK(reference::relative_difference(exact(result), expected) <= rounding_bound<T>(s.k));
            CHECK(result.padding_intact());
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(update_general_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("lower triangle of C - A B^T, B^H", T, update_lower_cases) {
    for (const index_t n : orders)
        for (const index_t k : {0, 1, 5, 8, 33, 70}) {
            CAPTURE(n);
            CAPTURE(k);
            const auto a = random_matrix<T>(n, k, 5), b = random_matrix<T>(n, k, 6);
            const auto c = random_lower<T>(n, 7);
            for (const bool adjoint : {false, true})
                for (const bool same : {false, true}) {
                    auto result = c;
                    const auto& right = same ? a : b;
                    cpu::update_lower<T>(a.view(), right.view(), adjoint, result.view());
                    const auto expected = exact(c) - exact(a) * exact(right).transposed(adjoint);
                    CHECK(reference::relative_difference(exact(result), expected, in_lower) <= rounding_bound<T>(k));
                    CHECK(result.strict_upper_is_poison());
                    CHECK(result.padding_intact());
                }
        }
}

TEST_CASE_TEMPLATE_APPLY(update_lower_cases, Scalars);
