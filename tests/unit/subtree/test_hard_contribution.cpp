// SPDX-License-Identifier: BSD-3-Clause
// A subtree that delays columns: with E what it eliminates, D the delayed columns (rows), R
// the contribution rows of its root, X = D and R together, B with its rows renamed as the second
// pass did:
//   (columns; row_part, contribution) = B_XX - B_XE B_EE^-1 B_EX,
//   forward: x_D = b_D - op(B)_DE op(B)_EE^-1 b_E, y = -op(B)_RE op(B)_EE^-1 b_E,
//   backward: x_E = op(B)_EE^-1 (b_E - op(B)_EX x_X).
#include "hard_checks.hpp"
#include "hard_systems.hpp"
#include "scalar_lists.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// Positions of B for each part; rows of B are found by where the renaming left them.
struct Parts {
    std::vector<index_t> eliminated_rows, eliminated_columns;
    std::vector<index_t> handed_rows, handed_columns;  // D, with their positions
    std::vector<index_t> row_position, column_position;
    std::vector<index_t> above;  // R
    index_t first_position = 0;
};

std::vector<index_t> joined(std::vector<index_t> a, const std::vector<index_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// row_at[s]: the row of B whose position is s after the fronts with failed pivots.
template <class T>
std::vector<index_t> renamed_rows(const cpu::SubtreeSecondPasses<T>& second_passes, index_t n, Factorization kind) {
    std::vector<index_t> row_at(static_cast<std::size_t>(n));
    std::iota(row_at.begin(), row_at.end(), 0);
    if (kind != Factorization::lu) return row_at;
    for (const auto& hard : second_passes.fronts) {
        const auto &from = hard.second_pass.row_position, &to = hard.second_pass.row_position_after;
        std::vector<index_t> moved = row_at;
        for (std::size_t k = 0; k < from.size(); ++k)
            moved[static_cast<std::size_t>(to[k])] = row_at[static_cast<std::size_t>(from[k])];
        row_at = moved;
    }
    return row_at;
}

template <class T>
Parts split(const FactoredSubtree<T>& factors, const AssemblyTree& tree, const Subtree& s, Factorization kind) {
    Parts p;
    const Front& root = tree.fronts[static_cast<std::size_t>(s.root_front)];
    p.first_position = tree.fronts[static_cast<std::size_t>(s.first_front)].first_column;
    const auto row_at = renamed_rows(factors.second_passes, tree.order, kind);
    const auto& out = factors.second_passes.delayed;
    p.row_position = out.row_position;
    p.column_position = p.handed_columns = out.column_position;
    for (const index_t position : out.row_position) p.handed_rows.push_back(row_at[static_cast<std::size_t>(position)]);
    for (index_t k = p.first_position; k < root.first_column + root.npiv; ++k) {
        if (std::find(out.column_position.begin(), out.column_position.end(), k) == out.column_position.end())
            p.eliminated_columns.push_back(k);
        if (std::find(out.row_position.begin(), out.row_position.end(), k) == out.row_position.end())
            p.eliminated_rows.push_back(row_at[static_cast<std::size_t>(k)]);
    }
    const auto rows = tree.rows.begin() + root.rows_begin;
    p.above.assign(rows, rows + root.ncb());
    return p;
}

/// (columns | row_part; contribution), both triangles.
template <class T>
DenseMatrix handed_over(FactoredSubtree<T>& factors, Factorization kind) {
    const auto& out = factors.second_passes.delayed;
    const index_t m = out.rows(), n = out.cols(), ncb = factors.ncb();
    DenseMatrix found(m + ncb, n + ncb);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < m + ncb; ++i)
            found(i, j) = widen(out.columns[static_cast<std::size_t>(i + j * (m + ncb))]);
    for (index_t j = 0; j < ncb; ++j) {
        if (kind == Factorization::lu)
            for (index_t i = 0; i < m; ++i) found(i, n + j) = widen(out.row_part[static_cast<std::size_t>(i + j * m)]);
        for (index_t i = 0; i < ncb; ++i) found(m + i, n + j) = widen(factors.contribution()(i, j));
    }
    if (kind != Factorization::lu)
        for (index_t j = 0; j < found.cols; ++j)
            for (index_t i = 0; i < j; ++i)
                found(i, j) = kind == Factorization::ldlh ? std::conj(found(j, i)) : found(j, i);
    return found;
}

/// A - B C^-1 D
DenseMatrix schur(const DenseMatrix& a, const DenseMatrix& b, const DenseMatrix& c, const DenseMatrix& d) {
    return multiply_add(-1, b, solve_dense(c, d), a);
}

/// The parts in the roles of op(B): its rows are B's columns when transposed.
struct Roles {
    std::vector<index_t> row_e, row_d, column_e, column_d, position_in, position_out;

    Roles(const Parts& p, bool transposed)
        : row_e(transposed ? p.eliminated_columns : p.eliminated_rows),
          row_d(transposed ? p.handed_columns : p.handed_rows),
          column_e(transposed ? p.eliminated_rows : p.eliminated_columns),
          column_d(transposed ? p.handed_rows : p.handed_columns),
          position_in(transposed ? p.column_position : p.row_position),
          position_out(transposed ? p.row_position : p.column_position) {}
};

template <class T>
DenseMatrix rows_at(DenseView<T> x, const std::vector<index_t>& positions, index_t first) {
    DenseMatrix m(static_cast<index_t>(positions.size()), x.cols);
    for (index_t k = 0; k < m.cols; ++k)
        for (index_t i = 0; i < m.rows; ++i) m(i, k) = widen(x(positions[static_cast<std::size_t>(i)] - first, k));
    return m;
}

template <class T>
void check_partial(FactoredSubtree<T>& factors, const DenseMatrix& b, const Parts& p, Operation op, Factorization kind,
                   double bound) {
    const index_t nrhs = 3;
    const Roles r(p, op != Operation::none && kind == Factorization::lu);
    const DenseMatrix ob = apply_operation(b, op);
    const RandomBlock<T> x(factors.columns(), nrhs, 3), y(factors.ncb(), nrhs, 4), above(factors.ncb(), nrhs, 7),
        given(static_cast<index_t>(r.column_d.size()), nrhs, 8);
    const DenseMatrix b_e = rows_at(x.view, r.row_e, p.first_position);
    const DenseMatrix b_d = rows_at(x.view, r.row_d, p.first_position);
    const DenseMatrix ee = submatrix(ob, r.row_e, r.column_e);
    factors.forward(op, x.view, y.view);
    CHECK(largest_difference(rows_at(x.view, r.position_in, p.first_position),
                             schur(b_d, submatrix(ob, r.row_d, r.column_e), ee, b_e)) <= bound);
    CHECK(largest_difference(widened(y.view), schur(DenseMatrix(factors.ncb(), nrhs),
                                                    submatrix(ob, p.above, r.column_e), ee, b_e)) <= bound);
    factors.diagonal(op, x.view);
    for (index_t k = 0; k < nrhs; ++k)
        for (index_t i = 0; i < given.view.rows; ++i)
            x.view(r.position_out[static_cast<std::size_t>(i)] - p.first_position, k) = given.view(i, k);
    factors.backward(op, x.view, above.view.as_const());
    DenseMatrix rest = multiply_add(-1, submatrix(ob, r.row_e, r.column_d), widened(given.view), b_e);
    rest = multiply_add(-1, submatrix(ob, r.row_e, p.above), widened(above.view), rest);
    CHECK(largest_difference(rows_at(x.view, r.column_e, p.first_position), solve_dense(ee, rest)) <= bound);
    CHECK(largest_difference(rows_at(x.view, r.column_d, p.first_position), widened(given.view)) == 0);
}

template <class T>
count_t check_subtrees(const SparseMatrix<T>& a, const KindCase& c, const std::vector<index_t>& sizes) {
    const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, sizes);
    const DenseMatrix b = permuted(dense(a), analysis.row_order, analysis.column_order);
    count_t handed = 0;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const Subtree s = subtree_at(analysis.tree, f);
        if (analysis.tree.fronts[static_cast<std::size_t>(f)].ncb() == 0) continue;
        FactoredSubtree<T> factors(a, analysis, s, threshold_rule<T>(0.1, largest(b)));
        const auto& out = factors.second_passes.delayed;
        REQUIRE(out.rows() == out.cols());
        handed += out.cols();
        const Parts p = split(factors, analysis.tree, s, c.kind);
        const auto rows = joined(p.handed_rows, p.above), columns = joined(p.handed_columns, p.above);
        const DenseMatrix expected =
            schur(submatrix(b, rows, columns), submatrix(b, rows, p.eliminated_columns),
                  submatrix(b, p.eliminated_rows, p.eliminated_columns), submatrix(b, p.eliminated_rows, columns));
        // Multipliers up to 10 in each of the few generations of these systems.
        const double bound = 1e4 * b.rows * epsilon<T>() * largest(b);
        DenseMatrix found = handed_over(factors, c.kind);
        // Own and child's contribution entries that lie in R alone are not part of A's.
        for (index_t j = 0; j < factors.ncb(); ++j)
            for (index_t i = 0; i < factors.ncb(); ++i)
                found(out.rows() + i, out.cols() + j) +=
                    b(p.above[static_cast<std::size_t>(i)], p.above[static_cast<std::size_t>(j)]);
        CHECK(largest_difference(found, expected) <= bound);
        for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(static_cast<int>(op));
            CAPTURE(f);
            check_partial(factors, b, p, op, c.kind, bound);
        }
        CHECK(factors.intact());
    }
    return handed;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("Schur complement and partial solves of subtrees that hand columns over", T, handing_over) {
    for (const KindCase& c : threshold_cases())
        for (const std::vector<index_t>& sizes : std::vector<std::vector<index_t>>{{1}, {2, 1, 4}}) {
            CAPTURE(c.name);
            CAPTURE(sizes.size());
            CHECK(check_subtrees(troubled_tips<T>(24, 4, c.symmetry, 11), c, sizes) > 0);
            CHECK(check_subtrees(saddle_point<T>(8, 2, c.symmetry, 3), c, sizes) > 0);
        }
}

TEST_CASE_TEMPLATE_APPLY(handing_over, Scalars);

TEST_CASE_TEMPLATE_DEFINE("LU subtrees whose good pivots are far away hand rows and columns over", T,
                          handing_over_apart) {
    const KindCase c{Factorization::lu, Symmetry::general, "lu"};
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        CAPTURE(seed);
        CHECK(check_subtrees(permuted_diagonal<T>(24, 1, seed), c, {1, 2}) > 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(handing_over_apart, Scalars);
