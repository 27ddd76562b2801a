// SPDX-License-Identifier: BSD-3-Clause
// Pivots a little above the bound for null ones: null when a gap parts them from all others, and rounding
// explains them; ordinary pivots otherwise.
#include "frond/frond.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
FactorReport report_of(const SparseMatrix<T>& a, double tolerance = 0,
                       ScalingMethod scaling = ScalingMethod::equilibrate) {
    AnalysisOptions options;
    options.factorization = kind_of<T>(a.symmetry);
    options.matching = MatchingMode::off;
    options.scaling = scaling;
    options.ordering = OrderingMethod::natural;
    Solver<T> solver(shared_session(), options);
    FactorOptions factor_options;
    factor_options.null_pivot_tolerance = tolerance;
    return solver.factor(a, factor_options);
}

/// Rows d_i (e_i - r e_(i+1)), and their sum as the last row, but for one unit in the last place of an entry d_1:
/// singular but for that, with the null vector r^(n-i), so that r^(n-1) eps is left of the last column.
template <class T>
SparseMatrix<T> growing_null_vector(index_t n, double r, bool with_null_block) {
    constexpr auto eps = std::numeric_limits<real_t<T>>::epsilon();
    EntryTable<T> table;
    for (index_t i = 0; i + 1 < n; ++i) {
        table[{i, i}] = T(1);
        table[{i + 1, i}] = T(static_cast<real_t<T>>(-r));
        table[{i, n - 1}] += T(1);
        table[{i + 1, n - 1}] += T(static_cast<real_t<T>>(-r));
    }
    table[{0, n - 1}] = T(1 + eps);
    const index_t order = with_null_block ? n + 2 : n;
    for (index_t i = n; i < order; ++i) table[{n, i}] = table[{n + 1, i}] = T(1);
    return from_table(order, table, Symmetry::general);
}

/// 1 / (i + j + first): for 1 the Hilbert matrix.
template <class T>
SparseMatrix<T> hilbert(index_t n, index_t first) {
    EntryTable<T> table;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) table[{j, i}] = T(real_t<T>(1) / static_cast<real_t<T>>(i + j + first));
    return from_table(n, table, Symmetry::general);
}

}  // namespace

// The bound for null columns is 10 n eps, some 120 eps here.
TEST_CASE_TEMPLATE_DEFINE("a gap in the pivots of a singular matrix decides the rank", T, rank_gap) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    constexpr index_t n = 10;
    constexpr double r = 3;  // r^(n-1) = 19683
    const FactorReport both = report_of(growing_null_vector<T>(n, r, true));
    CHECK(both.status == FactorStatus::singular);
    CHECK(both.pivots.small_columns.size() == 2);
    CHECK(both.work.repeated_for_rank);
    CHECK(both.pivots.null_below > 1024 * eps);
    CHECK(both.pivots.null_below < 1);
    // Rounding explains this column, too, without a null one beside it.
    const FactorReport alone = report_of(growing_null_vector<T>(n, r, false));
    CHECK(alone.status == FactorStatus::singular);
    CHECK(alone.work.repeated_for_rank);
    const FactorReport as_told = report_of(growing_null_vector<T>(n, r, true), 200 * eps);
    CHECK(as_told.pivots.small_columns.size() == 1);
    CHECK_FALSE(as_told.work.repeated_for_rank);
    const FactorReport unscaled = report_of(growing_null_vector<T>(n, r, true), 0, ScalingMethod::none);
    CHECK(unscaled.pivots.small_columns.size() == 1);
    CHECK_FALSE(unscaled.work.repeated_for_rank);
}
TEST_CASE_TEMPLATE_APPLY(rank_gap, Scalars);

// The bound for null columns is some 250 eps here.
TEST_CASE_TEMPLATE_DEFINE("small pivots that rounding does not explain are no null ones", T, regular) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
        CAPTURE(static_cast<int>(symmetry));
        CHECK(report_of(with_pivots<T>({0, 2048}, symmetry)).pivots.small_columns.size() == 1);
        CHECK(report_of(with_pivots<T>({0, 8192, 8e5, 8e7, 8e9}, symmetry)).pivots.small_columns.size() == 1);
        CHECK(report_of(with_pivots<T>({8192}, symmetry)).status == FactorStatus::success);
    }
}
TEST_CASE_TEMPLATE_APPLY(regular, Scalars);

/// The null columns are those of numpy.linalg.matrix_rank in single precision: singular values below n eps times the
/// largest. In double precision that finds one at most.
struct Decaying {
    index_t n, first;
    std::size_t null_in_single;
};

// Their pivots fall by 3 to 30 each, so that some step is a gap of 10, the least one in single precision.
TEST_CASE_TEMPLATE_DEFINE("pivots of Hilbert matrices decay steadily, without a gap", T, steady) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    constexpr bool single = sizeof(real_t<T>) == sizeof(float);
    for (const auto& [n, first, null_in_single] :
         {Decaying{6, 1, 1}, Decaying{7, 1, 2}, Decaying{8, 1, 3}, Decaying{10, 1, 4}, Decaying{12, 1, 6},
          Decaying{6, 3, 1}, Decaying{7, 3, 2}, Decaying{10, 3, 5}}) {
        CAPTURE(n);
        CAPTURE(first);
        const SparseMatrix<T> a = hilbert<T>(n, first);
        AnalysisOptions options;
        options.factorization = Factorization::lu;
        Solver<T> solver(shared_session(), options);
        CHECK(solver.factor(a).pivots.small_columns.size() <= (single ? null_in_single : 1));
        RhsBlock<T> ones(n, 1), b(n, 1), x(n, 1);
        ones.fill(T(1));
        multiply(a, Operation::none, 1, ones.view().data, n, b.view().data, n);
        const SolveReport solved = solver.solve(std::as_const(b).view(), x.view());
        CHECK(solved.status == SolveStatus::converged);
        CHECK(solved.componentwise_backward_error <= 450 * eps);
    }
}
TEST_CASE_TEMPLATE_APPLY(steady, Scalars);
