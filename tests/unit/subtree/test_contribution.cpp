// SPDX-License-Identifier: BSD-3-Clause
#include "contribution_checks.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE_TEMPLATE_DEFINE("contribution and partial solves of a subtree", T, contribution_and_solves) {
    check_subtrees<T>(cpu::factor_subtree<T>);
}

TEST_CASE_TEMPLATE_APPLY(contribution_and_solves, Scalars);

TEST_CASE("a subtree in the middle of the order sees only its own rows") {
    const SparseMatrix<double> a = random_sparse<double>(80, 1, Symmetry::general, true, 8);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::lu, {2});
    const DenseMatrix b = permuted(dense(a), analysis.row_order, analysis.column_order);
    index_t checked = 0;
    for (index_t root = 0; root < analysis.tree.front_count(); ++root) {
        const Front& front = analysis.tree.fronts[static_cast<std::size_t>(root)];
        const Subtree subtree = subtree_at(analysis.tree, root);
        if (front.ncb() == 0 || subtree.first_front == 0) continue;
        const Split s = split_at(analysis.tree, root);
        FactoredSubtree<double> factors(a, analysis, subtree);
        check_partial_solve(factors, b, s, Operation::none, 2);
        check_partial_solve(factors, b, s, Operation::transpose, 2);
        CHECK(factors.intact());
        ++checked;
    }
    CHECK(checked >= 5);
}
