// SPDX-License-Identifier: BSD-3-Clause
// A subtree that is not the whole tree: with S its columns and R the contribution rows of its root,
//   contribution = -B_RS B_SS^-1 B_SR,
//   forward, diagonal, backward: y = -op(B)_RS op(B)_SS^-1 b_S, x_S = op(B)_SS^-1 (b_S - op(B)_SR
//   x_R).
// For the kernel of cores and for the task.
#pragma once

#include "subtree_problem.hpp"

namespace frond::test {

struct Split {
    std::vector<index_t> own;  // S
    std::vector<index_t> above;  // R
};

inline Split split_at(const AssemblyTree& tree, index_t root) {
    Split s;
    const Front& front = tree.fronts[static_cast<std::size_t>(root)];
    const Subtree subtree = subtree_at(tree, root);
    for (index_t k = tree.fronts[static_cast<std::size_t>(subtree.first_front)].first_column;
         k < front.first_column + front.npiv; ++k)
        s.own.push_back(k);
    const auto rows = tree.rows.begin() + front.rows_begin;
    s.above.assign(rows, rows + front.ncb());
    return s;
}

/// The root of a subtree of several fronts with at least two rows above it, the larger the better.
inline index_t subtree_root(const AssemblyTree& tree) {
    index_t best = -1, size = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t fronts = f - tree.first_descendant[static_cast<std::size_t>(f)] + 1;
        if (tree.fronts[static_cast<std::size_t>(f)].ncb() < 2 || fronts <= size) continue;
        best = f;
        size = fronts;
    }
    return best;
}

template <class T>
double tolerance(index_t n, double scale) {
    return 3 * n * (is_complex<T> ? 8 : 2) * scale * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

inline void mirror_lower(DenseMatrix& c, bool hermitian) {
    for (index_t j = 0; j < c.cols; ++j)
        for (index_t i = 0; i < j; ++i) c(i, j) = hermitian ? std::conj(c(j, i)) : c(j, i);
}

template <class T>
void check_contribution(FactoredSubtree<T>& factors, const DenseMatrix& b, const Split& s, Factorization kind) {
    const DenseMatrix inverse_times = solve_dense(submatrix(b, s.own, s.own), submatrix(b, s.own, s.above));
    const index_t ncb = factors.ncb();
    const DenseMatrix expected = multiply_add(-1, submatrix(b, s.above, s.own), inverse_times, DenseMatrix(ncb, ncb));
    DenseMatrix found = widened(factors.contribution());
    if (kind != Factorization::lu) mirror_lower(found, kind == Factorization::ldlh || kind == Factorization::llt);
    CHECK(largest(expected) > 0);
    CHECK(largest_difference(found, expected) <= tolerance<T>(b.rows, largest(b)));
}

template <class T>
void check_partial_solve(FactoredSubtree<T>& factors, const DenseMatrix& b, const Split& s, Operation op,
                         index_t nrhs) {
    const DenseMatrix ob = apply_operation(b, op);
    const DenseMatrix own = submatrix(ob, s.own, s.own);
    const RandomBlock<T> x(factors.columns(), nrhs, 3), y(factors.ncb(), nrhs, 4), above(factors.ncb(), nrhs, 7);
    const DenseMatrix rhs = widened(x.view);
    const DenseMatrix expected_y =
        multiply_add(-1, submatrix(ob, s.above, s.own), solve_dense(own, rhs), DenseMatrix(y.view.rows, nrhs));
    const DenseMatrix expected_x =
        solve_dense(own, multiply_add(-1, submatrix(ob, s.own, s.above), widened(above.view), rhs));
    factors.forward(op, x.view, y.view);
    CHECK(largest_difference(widened(y.view), expected_y) <= tolerance<T>(b.rows, 2));
    factors.diagonal(op, x.view);
    factors.backward(op, x.view, above.view.as_const());
    CHECK(largest_difference(widened(x.view), expected_x) <= tolerance<T>(b.rows, 2));
}

/// Subtrees of fronts of one column, and of 2, 1, 5, 2, ... columns.
template <class T>
void check_subtrees(const SubtreeKernel<T>& kernel, const PivotRule& rule = {}) {
    for (const KindCase& c : kind_cases<T>())
        for (const std::vector<index_t>& sizes : std::vector<std::vector<index_t>>{{1}, {2, 1, 5}}) {
            CAPTURE(c.name);
            CAPTURE(sizes.size());
            const SparseMatrix<T> a = dominant_matrix<T>(c, 8, 17);
            const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, sizes);
            const index_t root = subtree_root(analysis.tree);
            REQUIRE(root >= 0);
            const Split s = split_at(analysis.tree, root);
            FactoredSubtree<T> factors(a, analysis, subtree_at(analysis.tree, root), rule, nullptr, kernel);
            const DenseMatrix b = permuted(dense(a), analysis.row_order, analysis.column_order);
            check_contribution(factors, b, s, c.kind);
            for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint})
                for (const index_t nrhs : {1, 5}) {
                    CAPTURE(static_cast<int>(op));
                    check_partial_solve(factors, b, s, op, nrhs);
                }
            CHECK(factors.intact());
        }
}

}  // namespace frond::test
