// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <algorithm>
#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

struct Sizes {
    index_t npiv, nfront, nrhs;
};

constexpr Sizes sizes[] = {{1, 1, 1},      {1, 6, 1},     {2, 5, 3},     {7, 7, 1},    {8, 30, 1},    {9, 40, 2},
                           {16, 60, 1},    {31, 100, 1},  {33, 33, 5},   {64, 130, 1}, {65, 129, 16}, {100, 140, 1},
                           {130, 131, 33}, {600, 640, 1}, {520, 530, 2}, {5, 20, 0}};

constexpr Factorization kinds[] = {Factorization::llt, Factorization::ldlt, Factorization::ldlh, Factorization::lu};

/// A panel whose L11 and U11 have off-diagonal entries of size 1/npiv; both triangles are filled
/// for LU, the upper one is poison otherwise.
template <class T>
GuardedMatrix<T> random_panel(Factorization kind, index_t npiv, index_t nfront) {
    auto panel = random_matrix<T>(nfront, npiv, 81);
    for (index_t j = 0; j < npiv; ++j)
        for (index_t i = 0; i < npiv; ++i) {
            panel(i, j) /= static_cast<real_t<T>>(npiv);
            if (i == j) panel(i, j) += T(2);
            if (i == j && kind == Factorization::llt) panel(i, j) = real_part(panel(i, j));
            if (i < j && kind != Factorization::lu) panel(i, j) = poison<T>();
        }
    return panel;
}

std::vector<index_t> shuffled(index_t n) {
    std::vector<index_t> perm(static_cast<std::size_t>(n));
    std::iota(perm.begin(), perm.end(), 0);
    RandomValues values(82);
    for (index_t k = n; k > 1; --k)
        std::swap(perm[static_cast<std::size_t>(k) - 1], perm[static_cast<std::size_t>(values.below(k))]);
    return perm;
}

template <class T>
reference::Matrix<T> lower_of(const GuardedMatrix<T>& panel, bool unit) {
    return reference::lower_triangle<T>(panel.cols(), panel.cols(), unit,
                                        [&](index_t i, index_t j) { return panel(i, j); });
}

template <class T>
reference::Matrix<T> upper_of(const GuardedMatrix<T>& panel) {
    return reference::upper_triangle<T>(panel.cols(), [&](index_t i, index_t j) { return panel(i, j); });
}

template <class T>
reference::Matrix<T> below_of(const GuardedMatrix<T>& panel) {
    return reference::Matrix<T>::from(panel.rows() - panel.cols(), panel.cols(),
                                      [&](index_t i, index_t j) { return panel(panel.cols() + i, j); });
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("forward: x := L11^-1 P x, y := y - L21 x", T, forward_cases) {
    for (const auto [npiv, nfront, nrhs] : sizes)
        for (const Factorization kind : kinds) {
            CAPTURE(npiv);
            CAPTURE(nrhs);
            const bool llt = kind == Factorization::llt;
            const auto panel = random_panel<T>(kind, npiv, nfront);
            const auto perm = shuffled(npiv);
            const auto b = random_matrix<T>(npiv, nrhs, 83), c = random_matrix<T>(nfront - npiv, nrhs, 84);
            auto x = b, y = c;
            cpu::forward_front<T>(kind, panel.view(), perm.data(), x.view(), y.view());
            const auto right = llt ? exact(b) : reference::rows_permuted(exact(b), perm);
            CHECK(reference::relative_difference(lower_of(panel, !llt) * exact(x), right) <= rounding_bound<T>(npiv));
            CHECK(reference::relative_difference(exact(y), exact(c) - below_of(panel) * exact(x)) <=
                  rounding_bound<T>(npiv));
            CHECK(x.padding_intact());
            CHECK(y.padding_intact());
        }
}

TEST_CASE_TEMPLATE_APPLY(forward_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("backward: x := P^T L11^-T (x - L21^T y), U11^-1 (x - U12 y)", T, backward_cases) {
    for (const auto [npiv, nfront, nrhs] : sizes)
        for (const Factorization kind : kinds) {
            CAPTURE(npiv);
            CAPTURE(nrhs);
            const bool llt = kind == Factorization::llt, lu = kind == Factorization::lu;
            const bool conjugated = kind != Factorization::ldlt;
            const auto panel = random_panel<T>(kind, npiv, nfront);
            const auto upper = random_matrix<T>(lu ? npiv : 0, nfront - npiv, 85);
            const auto perm = shuffled(npiv);
            const auto b = random_matrix<T>(npiv, nrhs, 86), y = random_matrix<T>(nfront - npiv, nrhs, 87);
            auto x = b;
            cpu::backward_front<T>(kind, panel.view(), upper.view(), perm.data(), y.view(), x.view());
            CHECK(x.padding_intact());
            const auto solution = lu || llt ? exact(x) : reference::rows_permuted(exact(x), perm);
            const auto product = lu ? upper_of(panel) * solution + exact(upper) * exact(y)
                                    : lower_of(panel, !llt).transposed(conjugated) * solution +
                                          below_of(panel).transposed(conjugated) * exact(y);
            CHECK(reference::relative_difference(product, exact(b)) <= rounding_bound<T>(nfront));
        }
}

TEST_CASE_TEMPLATE_APPLY(backward_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("diagonal: D x = b", T, diagonal_cases) {
    for (const index_t n : {1, 2, 5, 33})
        for (const index_t nrhs : {1, 4})
            for (const Factorization kind : kinds) {
                const bool hermitian = kind == Factorization::ldlh;
                std::vector<T> pivots(2 * static_cast<std::size_t>(n), T(0));
                RandomValues values(88);
                for (index_t k = 0; k < n; ++k) {
                    const auto at = 2 * static_cast<std::size_t>(k);
                    pivots[at] = values.next<T>() + T(2);
                    if (hermitian) pivots[at] = real_part(pivots[at]);
                    if (k % 3 == 1) pivots[at - 1] = values.next<T>() + T(6);
                }
                const auto b = random_matrix<T>(n, nrhs, 89);
                auto x = b;
                cpu::diagonal_front<T>(kind, pivots.data(), x.view());
                const bool indefinite = kind == Factorization::ldlt || hermitian;
                const auto d = reference::block_diagonal<T>(n, hermitian, pivots.data());
                const double difference = indefinite ? reference::relative_difference(d * exact(x), exact(b))
                                                     : reference::relative_difference(exact(x), exact(b));
                CHECK(difference <= (indefinite ? rounding_bound<T>(30) : 0));
                CHECK(x.padding_intact());
            }
}

TEST_CASE_TEMPLATE_APPLY(diagonal_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("transposed LU: U^T forward, L^T backward", T, transposed_cases) {
    for (const auto [npiv, nfront, nrhs] : sizes)
        for (const bool adjoint : {false, true}) {
            CAPTURE(npiv);
            CAPTURE(nrhs);
            const auto panel = random_panel<T>(Factorization::lu, npiv, nfront);
            const auto upper = random_matrix<T>(npiv, nfront - npiv, 90);
            const auto perm = shuffled(npiv);
            const auto b = random_matrix<T>(npiv, nrhs, 91), c = random_matrix<T>(nfront - npiv, nrhs, 92);
            auto x = b, y = c;
            cpu::forward_front_transposed<T>(panel.view(), upper.view(), adjoint, x.view(), y.view());
            CHECK(reference::relative_difference(upper_of(panel).transposed(adjoint) * exact(x), exact(b)) <=
                  rounding_bound<T>(npiv));
            CHECK(reference::relative_difference(exact(y), exact(c) - exact(upper).transposed(adjoint) * exact(x)) <=
                  rounding_bound<T>(npiv));
            CHECK(y.padding_intact());

            x = b;
            cpu::backward_front_transposed<T>(panel.view(), perm.data(), adjoint, c.view(), x.view());
            CHECK(x.padding_intact());
            const auto solution = reference::rows_permuted(exact(x), perm);
            const auto product =
                lower_of(panel, true).transposed(adjoint) * solution + below_of(panel).transposed(adjoint) * exact(c);
            CHECK(reference::relative_difference(product, exact(b)) <= rounding_bound<T>(nfront));
        }
}

TEST_CASE_TEMPLATE_APPLY(transposed_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("Y - op(A) X", T, product_cases) {
    for (const auto [npiv, nfront, nrhs] : sizes)
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(npiv);
            CAPTURE(nfront);
            CAPTURE(nrhs);
            const auto a = random_matrix<T>(nfront, npiv, 93);
            const bool plain = op == Operation::none;
            const auto x = random_matrix<T>(plain ? npiv : nfront, nrhs, 94);
            const auto y = random_matrix<T>(plain ? nfront : npiv, nrhs, 95);
            auto result = y;
            cpu::subtract_product<T>(a.view(), op, x.view(), result.view());
            const auto op_a = plain ? exact(a) : exact(a).transposed(op == Operation::adjoint);
            CHECK(reference::relative_difference(exact(result), exact(y) - op_a * exact(x)) <=
                  rounding_bound<T>(nfront));
            CHECK(result.padding_intact());
        }
}

TEST_CASE_TEMPLATE_APPLY(product_cases, Scalars);
