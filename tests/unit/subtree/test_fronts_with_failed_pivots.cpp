// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting in a subtree that is the whole tree: planted trouble, no matching.
#include "hard_checks.hpp"
#include "hard_systems.hpp"
#include "scalar_lists.hpp"

#include <cstring>

using namespace frond;
using namespace frond::test;

namespace {

const std::vector<std::vector<index_t>> cuts = {{1}, {3, 1, 5, 2}, {16}, {100}};

/// visit(case, cut, u)
template <class Visit>
void for_each_case(Visit visit) {
    for (const KindCase& c : threshold_cases())
        for (const auto& sizes : cuts)
            for (const double u : {0.01, 0.1, 0.5}) {
                if (c.kind != Factorization::lu && u > 0.3) continue;  // LDL^T: u < (1 + sqrt(17))/16
                CAPTURE(c.name);
                CAPTURE(sizes[0]);
                CAPTURE(u);
                visit(c, sizes, u);
            }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("zero diagonal, random sparse", T, zero_diagonal) {
    count_t delayed = 0;
    for_each_case([&](const KindCase& c, const std::vector<index_t>& sizes, double u) {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            const SparseMatrix<T> a = constant_diagonal<T>(50, 1, 0, c.symmetry, seed);
            delayed += check_hard_system(a, c, sizes, u, 100).delayed;
        }
    });
    CHECK(delayed > 0);
}

TEST_CASE_TEMPLATE_APPLY(zero_diagonal, Scalars);

TEST_CASE_TEMPLATE_DEFINE("tiny pivots", T, tiny_pivots) {
    for_each_case([&](const KindCase& c, const std::vector<index_t>& sizes, double u) {
        for (const double size : {1e-3, 1e-12, 1e-30}) {
            const SparseMatrix<T> a = constant_diagonal<T>(40, 1, size, c.symmetry, 7);
            const HardOutcome outcome = check_hard_system(a, c, sizes, u, 100);
            if (sizes[0] == 1) CHECK(outcome.delayed > 0);
        }
    });
}

TEST_CASE_TEMPLATE_APPLY(tiny_pivots, Scalars);

TEST_CASE_TEMPLATE_DEFINE("saddle points with the zero block first", T, saddle_points) {
    for_each_case([&](const KindCase& c, const std::vector<index_t>& sizes, double u) {
        for (const index_t extra : {0, 5}) {
            const SparseMatrix<T> a = saddle_point<T>(20, extra, c.symmetry, 3);
            const HardOutcome outcome = check_hard_system(a, c, sizes, u, 100);
            if (sizes[0] == 1) CHECK(outcome.delayed > 0);
        }
    });
}

TEST_CASE_TEMPLATE_APPLY(saddle_points, Scalars);

TEST_CASE_TEMPLATE_DEFINE("trouble at the tips is delayed through generations to the root", T, delayed_to_root) {
    for_each_case([&](const KindCase& c, const std::vector<index_t>& sizes, double u) {
        const SparseMatrix<T> a = troubled_tips<T>(36, 6, c.symmetry, 11);
        const HardOutcome outcome = check_hard_system(a, c, sizes, u, 30);
        // Column 0 travels past fronts of one column each to its partner, number 30.
        if (sizes[0] == 1) CHECK(outcome.delayed >= 30);
        if (sizes[0] == 100) CHECK(outcome.delayed == 0);
    });
}

TEST_CASE_TEMPLATE_APPLY(delayed_to_root, Scalars);

TEST_CASE_TEMPLATE_DEFINE("LU: good pivots far from the diagonal", T, far_pivots) {
    const KindCase c{Factorization::lu, Symmetry::general, "lu"};
    for (const auto& sizes : cuts)
        for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
            CAPTURE(sizes[0]);
            CAPTURE(seed);
            const SparseMatrix<T> a = permuted_diagonal<T>(40, 1, seed);
            const HardOutcome outcome = check_hard_system(a, c, sizes, 0.01, 100);
            if (sizes[0] == 1) CHECK(outcome.delayed > 0);
            if (sizes[0] == 100) CHECK(outcome.delayed == 0);
        }
}

TEST_CASE_TEMPLATE_APPLY(far_pivots, Scalars);

TEST_CASE_TEMPLATE_DEFINE("rank-deficient: nullity right, consistent systems solved", T, singular) {
    for_each_case([&](const KindCase& c, const std::vector<index_t>& sizes, double u) {
        for (const bool reversed : {false, true})
            for (const index_t nullity : {1, 3, 12}) {
                CAPTURE(reversed);
                CAPTURE(nullity);
                const SparseMatrix<T> a = rank_deficient<T>(30, 30 - nullity, reversed, c.symmetry, 5);
                check_hard_system(a, c, sizes, u, 1000, nullity);
            }
    });
}

TEST_CASE_TEMPLATE_APPLY(singular, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the zero matrix: all null, solution 0", T, zero_matrix) {
    for (const KindCase& c : threshold_cases()) {
        CAPTURE(c.name);
        const SparseMatrix<T> a = constant_diagonal<T>(1, 0, 0, c.symmetry, 1);
        SparseMatrix<T> z = random_grid<T>(4, c.symmetry, false, 1);
        std::fill(z.value.begin(), z.value.end(), T(0));
        const Analysis analysis = simple_analysis(z.pattern, c.symmetry, c.kind, {3, 1});
        FactoredSubtree<T> factors(z, analysis, whole_tree(analysis.tree), threshold_rule<T>(0.01));
        CHECK(factors.report.zero == 16);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            const RandomBlock<T> x(16, 2, 3);
            const DenseView<T> y{nullptr, 0, 2, 1};
            factors.forward(op, x.view, y);
            factors.diagonal(op, x.view);
            factors.backward(op, x.view, y.as_const());
            for (index_t i = 0; i < 16; ++i) CHECK(x.view(i, 1) == T(0));
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(zero_matrix, Scalars);

TEST_CASE_TEMPLATE_DEFINE("good pivots: no front with failed pivots, bit for bit the static factors", T, easy_systems) {
    for (const KindCase& c : threshold_cases()) {
        CAPTURE(c.name);
        const SparseMatrix<T> a = dominant_matrix<T>(c, 8, 3);
        const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {1, 3, 2});
        const Subtree tree = whole_tree(analysis.tree);
        FactoredSubtree<T> factors(a, analysis, tree, threshold_rule<T>(0.01)), reference(a, analysis, tree);
        CHECK(factors.second_passes.empty());
        const count_t size = cpu::subtree_factor_scalars(analysis.tree, tree, c.kind);
        CHECK(std::memcmp(factors.factor(), reference.factor(), static_cast<std::size_t>(size) * sizeof(T)) == 0);
        CHECK(factors.report.negative == reference.report.negative);
        CHECK(factors.report.positive == reference.report.positive);
    }
}

TEST_CASE_TEMPLATE_APPLY(easy_systems, Scalars);
