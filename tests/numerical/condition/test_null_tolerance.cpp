// SPDX-License-Identifier: BSD-3-Clause
// Null columns are those whose rest rounding explains: small pivots that are exact stay, beside
// null ones, too.
#include "frond/frond.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr Symmetry symmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian};

template <class T>
Solver<T> factored(const SparseMatrix<T>& a, ScalingMethod scaling = ScalingMethod::automatic,
                   OrderingMethod ordering = OrderingMethod::automatic) {
    AnalysisOptions options;
    options.factorization = kind_of<T>(a.symmetry);
    options.scaling = scaling;
    options.ordering = ordering;
    if (scaling != ScalingMethod::automatic) options.matching = MatchingMode::off;
    Solver<T> solver(shared_session(), options);
    solver.factor(a);
    return solver;
}

/// max |x - 1| where A x = A e, or infinity when that was not solved.
template <class T>
double error_of_ones(Solver<T>& solver, const SparseMatrix<T>& a) {
    const index_t n = a.rows();
    RhsBlock<T> ones(n, 1), b(n, 1), x(n, 1);
    ones.fill(T(1));
    multiply(a, Operation::none, 1, ones.view().data, n, b.view().data, n);
    const SolveReport report = solver.solve(std::as_const(b).view(), x.view());
    double largest = report.status == SolveStatus::converged ? 0 : std::numeric_limits<double>::infinity();
    for (index_t i = 0; i < n; ++i) largest = std::max<double>(largest, std::abs(x(i, 0) - T(1)));
    return largest;
}

/// 1 on the diagonal, 10 above it (lower: below): det 1, condition 10^n.
template <class T>
SparseMatrix<T> bidiagonal(index_t n, bool lower) {
    EntryTable<T> table;
    for (index_t i = 0; i < n; ++i) {
        table[{i, i}] = T(1);
        if (i + 1 < n) table[lower ? std::pair{i, i + 1} : std::pair{i + 1, i}] = T(10);
    }
    return from_table(n, table, Symmetry::general);
}

/// a and b as diagonal blocks.
template <class T>
SparseMatrix<T> beside(const SparseMatrix<T>& a, const SparseMatrix<T>& b) {
    EntryTable<T> table;
    for (const auto& [part, first] : {std::pair{&a, index_t(0)}, std::pair{&b, a.rows()}})
        for (index_t j = 0; j < part->cols(); ++j)
            for (count_t e = part->pattern.begin[static_cast<std::size_t>(j)];
                 e < part->pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                table[{first + j, first + part->pattern.row[static_cast<std::size_t>(e)]}] =
                    part->value[static_cast<std::size_t>(e)];
    return from_table(a.rows() + b.rows(), table, a.symmetry);
}

/// Bars between the nodes of a lattice of side^3 and all their neighbours d in {-1, 0, 1}^3, each
/// with the stiffness k d d^T: without supports it moves in six ways without a force.
template <class T>
SparseMatrix<T> free_truss(index_t side, Symmetry symmetry) {
    EntryTable<T> table;
    const auto node = [side](index_t x, index_t y, index_t z) { return 3 * (x + side * (y + side * z)); };
    const auto inside = [side](index_t x) { return x >= 0 && x < side; };
    Random random(3);
    const auto add = [&](index_t p, index_t q, const index_t* d, double k) {
        for (index_t i = 0; i < 3; ++i)
            for (index_t j = 0; j < 3; ++j)
                if (d[i] * d[j] != 0 && (symmetry == Symmetry::general || p + i >= q + j))
                    table[{q + j, p + i}] += T(static_cast<real_t<T>>(k * d[i] * d[j]));
    };
    for (index_t p = 0; p < side * side * side; ++p)
        for (index_t c = 14; c < 27; ++c) {  // one of each pair of opposite directions
            const index_t x = p % side, y = p / side % side, z = p / side / side;
            const index_t d[] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
            if (!inside(x + d[0]) || !inside(y + d[1]) || !inside(z + d[2])) continue;
            const index_t from = node(x, y, z), to = node(x + d[0], y + d[1], z + d[2]);
            const double k = 1 + 0.25 * random.below(4);
            add(from, from, d, k);
            add(to, to, d, k);
            add(from, to, d, -k);
            add(to, from, d, -k);
        }
    return from_table(3 * side * side * side, table, symmetry);
}

/// The Laplacian of a grid of side^2 vertices whose edges weigh 10^-decades to 1: one null column, of which
/// elimination may leave far more than the rounding of A explains.
template <class T>
SparseMatrix<T> graded_laplacian(index_t side, double decades, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    const auto add = [&](index_t i, index_t j, double v) {
        if (symmetry == Symmetry::general || i >= j) table[{j, i}] += T(static_cast<real_t<T>>(v));
    };
    for (index_t p = 0; p < side * side; ++p)
        for (const index_t q : {p + 1, p + side}) {
            if (q >= side * side || (q == p + 1 && q % side == 0)) continue;
            const double weight = std::pow(10.0, decades * (random.value<double>() - 1) / 2);
            add(p, p, weight);
            add(q, q, weight);
            add(p, q, -weight);
            add(q, p, -weight);
        }
    return from_table(side * side, table, symmetry);
}

/// Far more would leave of the smaller weights nothing but rounding.
template <class T>
std::vector<double> graded_decades() {
    if (sizeof(real_t<T>) == sizeof(float)) return {1, 2, 3};
    return {3, 6, 9};
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a truss without supports has six null columns", T, truss) {
    for (const index_t side : {3, 5, 8})
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
            CAPTURE(side);
            CAPTURE(static_cast<int>(symmetry));
            const FactorReport report = factored(free_truss<T>(side, symmetry)).factors().report();
            CHECK(report.status == FactorStatus::singular);
            CHECK(report.pivots.small_columns.size() == 6);
            CHECK(report.pivots.null_rows.size() == 6);
        }
}

TEST_CASE_TEMPLATE_APPLY(truss, Scalars);

TEST_CASE_TEMPLATE_DEFINE("500 blocks (1 1; 1 1 + d) are regular down to d = 100 eps", T, blocks) {
    for (const Symmetry symmetry : symmetries)
        for (const double d : {100.0, 1000.0, 8192.0}) {
            if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
            CAPTURE(static_cast<int>(symmetry));
            CAPTURE(d);
            const SparseMatrix<T> a = with_pivots<T>(std::vector<double>(500, d), symmetry);
            Solver<T> solver = factored(a, ScalingMethod::equilibrate);
            CHECK(solver.factors().report().status == FactorStatus::success);
            CHECK(solver.factors().report().pivots.small_columns.empty());
            // (1 1; 1 1 + d)^-1 has entries of 1 / d.
            CHECK(error_of_ones(solver, a) <= 20 / d);
        }
}

TEST_CASE_TEMPLATE_APPLY(blocks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a bidiagonal matrix with a pivot far below rounding is regular", T, tails) {
    for (const index_t n : {15, 30})
        for (const bool lower : {false, true})
            for (const ScalingMethod scaling :
                 {ScalingMethod::automatic, ScalingMethod::equilibrate, ScalingMethod::none}) {
                CAPTURE(n);
                CAPTURE(lower);
                CAPTURE(static_cast<int>(scaling));
                const SparseMatrix<T> a = bidiagonal<T>(n, lower);
                Solver<T> solver = factored(a, scaling);
                CHECK(solver.factors().report().status == FactorStatus::success);
                RhsBlock<T> b = RhsBlock<T>::random(n, 2, 5), x(n, 2);
                CHECK(solver.solve(std::as_const(b).view(), x.view()).status == SolveStatus::converged);
            }
}

TEST_CASE_TEMPLATE_APPLY(tails, Scalars);

TEST_CASE_TEMPLATE_DEFINE("null columns beside small pivots", T, both) {
    for (const Symmetry symmetry : symmetries)
        for (const double d : {500.0, 8192.0}) {
            if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
            CAPTURE(static_cast<int>(symmetry));
            CAPTURE(d);
            const auto a =
                beside(scaled_laplacian<T>(60, 2, symmetry, 3), with_pivots<T>(std::vector<double>(40, d), symmetry));
            const FactorReport report = factored(a, ScalingMethod::equilibrate).factors().report();
            CHECK(report.status == FactorStatus::singular);
            CHECK(report.pivots.small_columns.size() == 2);
            CHECK(report.pivots.null_rows.size() == 2);
            for (const index_t column : report.pivots.small_columns) CHECK(column < 60);
        }
}

TEST_CASE_TEMPLATE_APPLY(both, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a tolerance that the caller gives is not questioned", T, told) {
    const SparseMatrix<T> a = with_pivots<T>({100, 100}, Symmetry::general);
    AnalysisOptions options;
    options.factorization = Factorization::lu;
    options.matching = MatchingMode::off;
    Solver<T> solver(shared_session(), options);
    FactorOptions factor_options;
    factor_options.null_pivot_tolerance = 1000 * std::numeric_limits<real_t<T>>::epsilon();
    CHECK(solver.factor(a, factor_options).pivots.small_columns.size() == 2);
    CHECK_FALSE(solver.factors().report().work.repeated_for_rank);
    CHECK(solver.factor(a).status == FactorStatus::success);
}

TEST_CASE_TEMPLATE_APPLY(told, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the null column of a graded Laplacian is not lost beside small pivots", T, graded) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric})
        for (const index_t side : {6, 12, 25})
            for (const double decades : graded_decades<T>())
                for (const double d : {100.0, 400.0, 1000.0, 2000.0})
                    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                        CAPTURE(static_cast<int>(symmetry));
                        CAPTURE(side);
                        CAPTURE(decades);
                        CAPTURE(d);
                        CAPTURE(seed);
                        const auto a =
                            beside(graded_laplacian<T>(side, decades, symmetry, seed), with_pivots<T>({d}, symmetry));
                        const FactorReport report = factored(a).factors().report();
                        CHECK(report.status == FactorStatus::singular);
                        const bool found =
                            !report.pivots.small_columns.empty() && report.pivots.small_columns.front() < side * side;
                        CHECK(found);
                        CHECK(report.pivots.small_columns.size() == report.pivots.null_rows.size());
                        CHECK(report.pivots.small_columns.size() <= 2);
                    }
}

TEST_CASE_TEMPLATE_APPLY(graded, Scalars);

TEST_CASE_TEMPLATE_DEFINE("two null columns that a weak edge makes one", T, joined) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    constexpr index_t side = 12;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric})
        for (const double d : {100.0, 1000.0})
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                CAPTURE(static_cast<int>(symmetry));
                CAPTURE(d);
                CAPTURE(seed);
                const auto half = graded_laplacian<T>(side, 2, symmetry, seed);
                const auto a = beside(half, half);
                const index_t n = a.rows();
                const auto weight = static_cast<real_t<T>>(d * eps);
                EntryTable<T> table;
                for (index_t j = 0; j < n; ++j)
                    for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                         e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                        table[{j, a.pattern.row[static_cast<std::size_t>(e)]}] += a.value[static_cast<std::size_t>(e)];
                table[{0, 0}] += T(weight);
                table[{n - 1, n - 1}] += T(weight);
                table[{0, n - 1}] -= T(weight);
                if (symmetry == Symmetry::general) table[{n - 1, 0}] -= T(weight);
                const FactorReport report = factored(from_table(n, table, symmetry)).factors().report();
                CHECK(report.status == FactorStatus::singular);
                CHECK_FALSE(report.pivots.small_columns.empty());
                CHECK(report.pivots.small_columns.size() <= 2);
            }
}

TEST_CASE_TEMPLATE_APPLY(joined, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the examination of null columns stands on the account", T, examined) {
    constexpr index_t n = 12'000, components = 8;
    const SparseMatrix<T> a = scaled_laplacian<T>(n, components, Symmetry::general, 5);
    Solver<T> solver(shared_session());
    FactorOptions options;
    options.null_pivot_tolerance = 1e4 * std::numeric_limits<real_t<T>>::epsilon();  // a given one is not examined
    const count_t without = solver.factor(a, options).memory.peak_bytes;
    const FactorReport& report = solver.factor(a);
    CHECK(report.pivots.small_columns.size() == static_cast<std::size_t>(components));
    const count_t vectors = static_cast<count_t>(n) * components * static_cast<count_t>(2 * sizeof(T));
    CHECK(report.memory.peak_bytes >= without + vectors);
}

TEST_CASE_TEMPLATE_APPLY(examined, Scalars);
