// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

struct FrontSizes {
    index_t npiv, nfront;
};

constexpr FrontSizes front_sizes[] = {{1, 1},   {1, 2},   {1, 5},   {2, 9},    {3, 3},   {4, 20},    {7, 31},
                                      {8, 8},   {8, 40},  {9, 33},  {16, 60},  {17, 25}, {31, 33},   {32, 100},
                                      {33, 64}, {48, 49}, {64, 65}, {65, 129}, {80, 80}, {100, 230}, {140, 200}};

/// A front and the matrix it was cut from.
template <class T>
struct Front {
    bool symmetric, hermitian;
    GuardedMatrix<T> full, panel, upper, contribution;
    std::vector<T> pivots;
    std::vector<index_t> perm;
    PivotReport report;

    Front(Factorization kind, index_t npiv, index_t nfront, double diagonal)
        : symmetric(kind != Factorization::lu),
          hermitian(kind == Factorization::llt || kind == Factorization::ldlh),
          full(symmetric ? random_lower<T>(nfront, 61, diagonal, hermitian) : random_matrix<T>(nfront, nfront, 61)),
          panel(nfront, npiv),
          upper(symmetric ? 0 : npiv, nfront - npiv),
          contribution(nfront - npiv, nfront - npiv),
          pivots(2 * static_cast<std::size_t>(npiv), poison<T>()),
          perm(static_cast<std::size_t>(npiv), -1) {
        for (index_t j = 0; j < nfront; ++j)
            for (index_t i = symmetric ? j : 0; i < nfront; ++i) place(i, j);
    }

    void place(index_t i, index_t j) {
        const index_t npiv = panel.cols();
        if (j < npiv)
            panel(i, j) = full(i, j);
        else if (i < npiv)
            upper(i, j - npiv) = full(i, j);
        else
            contribution(i - npiv, j - npiv) = full(i, j);
    }

    void factor(Factorization kind, const PivotRule& rule = {}) {
        GuardedWorkspace<T> workspace(cpu::factor_front_workspace(kind, panel.cols(), panel.rows()));
        cpu::factor_front<T>(kind, panel.view(), upper.view(), contribution.view(), rule, perm.data(), pivots.data(),
                             workspace.data(), report);
        CHECK(workspace.intact());
        CHECK(panel.padding_intact());
        CHECK(upper.padding_intact());
        CHECK(contribution.padding_intact());
        if (symmetric) {
            CHECK(panel.strict_upper_is_poison());
            CHECK(contribution.strict_upper_is_poison());
        }
    }

    std::vector<index_t> whole_perm(bool pivoted) const {
        std::vector<index_t> whole(static_cast<std::size_t>(panel.rows()));
        for (std::size_t k = 0; k < whole.size(); ++k)
            whole[k] = pivoted && k < perm.size() ? perm[k] : static_cast<index_t>(k);
        return whole;
    }

    /// [L21; S] as one lower factor with an identity pivot block, so that everything is one
    /// product.
    reference::Matrix<T> lower_factor(bool unit) const {
        const index_t npiv = panel.cols(), nfront = panel.rows();
        return reference::Matrix<T>::from(nfront, nfront, [&](index_t i, index_t j) {
            if (i == j && (unit || j >= npiv)) return T(1);
            return j < npiv && i >= j ? T(panel(i, j)) : T(0);
        });
    }

    /// [D 0; 0 S], with the identity in place of D for L L^H.
    reference::Matrix<T> middle_factor(bool with_pivots) const {
        const index_t npiv = panel.cols(), nfront = panel.rows();
        std::vector<T> d = pivots;
        if (!with_pivots)
            for (std::size_t k = 0; k < d.size(); ++k) d[k] = T(k % 2 == 0 ? 1 : 0);
        const auto pivot_block = reference::block_diagonal<T>(npiv, hermitian, d.data());
        const auto s = exact_mirrored(contribution, hermitian);
        reference::Matrix<T> middle(nfront, nfront);
        for (index_t j = 0; j < nfront; ++j)
            for (index_t i = 0; i < nfront; ++i) {
                if (i < npiv && j < npiv) middle.set(i, j, pivot_block(i, j));
                if (i >= npiv && j >= npiv) middle.set(i, j, s(i - npiv, j - npiv));
            }
        return middle;
    }

    reference::Matrix<T> upper_factor() const {
        const index_t npiv = panel.cols(), nfront = panel.rows();
        return reference::Matrix<T>::from(nfront, nfront, [&](index_t i, index_t j) {
            if (i >= npiv) return j >= npiv ? T(contribution(i - npiv, j - npiv)) : T(0);
            return j >= npiv ? T(upper(i, j - npiv)) : i <= j ? T(panel(i, j)) : T(0);
        });
    }
};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("front: L L^H + S = A", T, front_llt) {
    for (const auto [npiv, nfront] : front_sizes) {
        CAPTURE(npiv);
        CAPTURE(nfront);
        Front<T> f(Factorization::llt, npiv, nfront, 2.0 * nfront + 1);
        f.factor(Factorization::llt);
        CHECK(f.report.failed_column == -1);
        const auto l = f.lower_factor(false);
        CHECK(reference::relative_difference(l * f.middle_factor(false) * l.transposed(true),
                                             exact_mirrored(f.full, true), in_lower) <= rounding_bound<T>(npiv + 1));
    }
}

TEST_CASE_TEMPLATE_APPLY(front_llt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("front: L D L^T + S = P A P^T", T, front_ldlt) {
    for (const auto [npiv, nfront] : front_sizes)
        for (const Factorization kind : {Factorization::ldlt, Factorization::ldlh})
            for (const double diagonal : {0.0, 2.0 * nfront}) {
                CAPTURE(npiv);
                CAPTURE(nfront);
                CAPTURE(diagonal);
                Front<T> f(kind, npiv, nfront, diagonal);
                f.factor(kind);
                CHECK(is_permutation_of(f.perm));
                const auto whole = f.whole_perm(true);
                const auto rows = reference::rows_permuted(exact_mirrored(f.full, f.hermitian), whole);
                const auto expected = reference::rows_permuted(rows.transposed(false), whole).transposed(false);
                const auto l = f.lower_factor(true);
                CHECK(reference::relative_difference(l * f.middle_factor(true) * l.transposed(f.hermitian), expected,
                                                     in_lower) <= rounding_bound<T>(6 * npiv));
                CHECK(f.report.perturbed == 0);
            }
}

TEST_CASE_TEMPLATE_APPLY(front_ldlt, Scalars);

TEST_CASE_TEMPLATE_DEFINE("front: [L11; L21] [U11 U12] + S = P A", T, front_lu) {
    for (const auto [npiv, nfront] : front_sizes) {
        CAPTURE(npiv);
        CAPTURE(nfront);
        Front<T> f(Factorization::lu, npiv, nfront, 0);
        f.factor(Factorization::lu);
        CHECK(is_permutation_of(f.perm));
        const auto expected = reference::rows_permuted(exact(f.full), f.whole_perm(true));
        CHECK(reference::relative_difference(f.lower_factor(true) * f.upper_factor(), expected) <=
              rounding_bound<T>(npiv + 1));
    }
}

TEST_CASE_TEMPLATE_APPLY(front_lu, Scalars);

TEST_CASE_TEMPLATE_DEFINE("front: the failed column is local to the front", T, front_failure) {
    for (const auto [npiv, nfront] : front_sizes) {
        CAPTURE(npiv);
        CAPTURE(nfront);
        Front<T> f(Factorization::llt, npiv, nfront, 2.0 * nfront + 1);
        const index_t bad = npiv * 2 / 3;
        f.panel(bad, bad) = T(-1);
        f.factor(Factorization::llt);
        CHECK(f.report.failed_column == bad);
        CHECK(f.report.positive == bad);
    }
}

TEST_CASE_TEMPLATE_APPLY(front_failure, Scalars);
