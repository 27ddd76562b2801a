// SPDX-License-Identifier: BSD-3-Clause
// What threshold pivoting by tasks says of hard matrices: inertia, determinant, rank, delays.
#include "determinant_oracle.hpp"
#include "error_oracle.hpp"
#include "frond/frond.hpp"
#include "rank_oracle.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

template <class T>
Factors<T> factored(const AnalysisResult& analysed, const SparseMatrix<T>& a, const ForcedMapping& mapping,
                    const FactorOptions& options = {}) {
    return factorize(shared_session(), remapped(*analysed.analysis, mapping), a, options, &analysed.scaling);
}

template <class T>
bool has_inertia(Factorization kind) {
    return kind == Factorization::ldlh || (kind == Factorization::ldlt && !is_complex<T>);
}

/// Congruence keeps the inertia: graded matrices are compared as they are after scaling.
void check_inertia(const FactorReport& report, const DenseMatrix& a) {
    const Inertia expected = dense_inertia(a, 1e-13);
    REQUIRE(report.pivots.inertia.has_value());
    CHECK(report.pivots.inertia->negative == expected.negative);
    CHECK(report.pivots.inertia->zero == expected.zero);
    CHECK(report.pivots.inertia->positive == expected.positive);
}

DenseMatrix scaled(DenseMatrix a, const Scaling& scaling) {
    if (scaling.row.empty()) return a;
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i)
            a(i, j) *= static_cast<long double>(scaling.row[static_cast<std::size_t>(i)]) *
                       static_cast<long double>(scaling.column[static_cast<std::size_t>(j)]);
    return a;
}

/// Bound of |tr(A^-1 dA)|, the change of log det A, for |dA| <= tolerance max|A|.
double determinant_bound(const DenseMatrix& a, double tolerance) {
    DenseMatrix unit(a.rows, a.rows);
    for (index_t i = 0; i < a.rows; ++i) unit(i, i) = 1;
    const DenseMatrix inverse = solve_dense(a, unit);
    long double sum = 0;
    for (const Wide& v : inverse.data) sum += std::abs(v);
    return tolerance * static_cast<double>(sum) * largest(a);
}

/// Pivots of an elimination in long double that are below so many n eps of T are null. Found by trial: what the
/// factorization leaves of null columns is below, and the other pivots of these matrices are far above.
constexpr double null_in_n_eps = 1e2;

/// The rows and columns that are named, taken away, leave a nonsingular matrix: the set is maximal.
template <class T>
void check_null_set(const FactorReport& report, const DenseMatrix& a, index_t nullity) {
    const index_t n = a.rows;
    REQUIRE(report.status == FactorStatus::singular);
    REQUIRE(report.pivots.small_columns.size() == static_cast<std::size_t>(nullity));
    REQUIRE(report.pivots.null_rows.size() == static_cast<std::size_t>(nullity));
    const DenseMatrix rest = submatrix(a, others(n, report.pivots.null_rows), others(n, report.pivots.small_columns));
    CHECK(dense_rank(rest, null_in_n_eps * n * epsilon<T>()) == n - nullity);
}

template <class T>
void check_consistent(const Factors<T>& factors, const DenseMatrix& a, Operation operation) {
    const index_t n = a.rows;
    const DenseMatrix oa = apply_operation(a, operation);
    const auto known = RhsBlock<T>::random(n, 2, 31);
    const DenseMatrix product = multiply_add(1, oa, widened(known), DenseMatrix(n, 2));
    RhsBlock<T> b(n, 2), x(n, 2);
    for (index_t j = 0; j < 2; ++j)
        for (index_t i = 0; i < n; ++i)
            if constexpr (is_complex<T>)
                b(i, j) = T(static_cast<real_t<T>>(product(i, j).real()), static_cast<real_t<T>>(product(i, j).imag()));
            else
                b(i, j) = static_cast<T>(product(i, j).real());
    SolveOptions options;
    options.operation = operation;
    CHECK(solve(factors, std::as_const(b).view(), x.view(), options).status == SolveStatus::converged);
    CHECK(normwise_error(oa, widened(x), widened(b)) <= rounding_bound<T>(10 * n));
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("inertia with delays, scaling and matching", T, inertia_cases) {
    const Watchdog watchdog(300);
    std::size_t turn = 0;
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        if (!has_inertia<T>(system.kind)) continue;
        for (const MatchingMode matching : {MatchingMode::off, MatchingMode::on}) {
            const ForcedMapping& mapping = trouble_mappings()[turn++ % trouble_mappings().size()];
            CAPTURE(system.name);
            CAPTURE(std::string(mapping.name));
            CAPTURE(static_cast<int>(matching));
            AnalysisOptions options;
            options.factorization = system.kind;
            options.matching = matching;
            const AnalysisResult analysed = matching == MatchingMode::off ? analyze_as_given(system.matrix, system.kind)
                                                                          : analyze(system.matrix, options);
            const Factors<T> factors = factored(analysed, system.matrix, mapping);
            check_inertia(factors.report(), scaled(dense(system.matrix), analysed.scaling));
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(inertia_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("log-determinant and phase with delays", T, determinants) {
    const Watchdog watchdog(300);
    std::size_t turn = 2;
    count_t delayed = 0;
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        const ForcedMapping& mapping = trouble_mappings()[turn++ % trouble_mappings().size()];
        CAPTURE(system.name);
        CAPTURE(std::string(mapping.name));
        const AnalysisResult analysed = analyze_as_given(system.matrix, system.kind);
        const Factors<T> factors = factored(analysed, system.matrix, mapping);
        delayed += factors.report().pivots.delayed;
        const auto computed = factors.log_determinant();
        REQUIRE(computed.has_value());
        const DenseMatrix a = dense(system.matrix), b = scaled(a, analysed.scaling);
        const DenseDeterminant expected = dense_determinant(a);
        const double bound = determinant_bound(b, 10 * rounding_bound<T>(2 * a.rows));
        CHECK(std::abs(computed->log_abs - expected.log_abs) <= bound + 1e-12);
        CHECK(std::abs(widen(computed->phase) - expected.phase) <= std::min(bound, 0.5));
    }
    CHECK(delayed > 100);
}

TEST_CASE_TEMPLATE_APPLY(determinants, Scalars);

TEST_CASE_TEMPLATE_DEFINE("rank: null pivots counted and named, consistent systems solved", T, ranks) {
    const Watchdog watchdog(300);

    const struct {
        Factorization kind;
        Symmetry symmetry;
    } kinds[] = {{Factorization::ldlt, Symmetry::symmetric},
                 {is_complex<T> ? Factorization::ldlh : Factorization::ldlt,
                  is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric},
                 {Factorization::lu, Symmetry::general}};

    std::size_t turn = 0;
    for (const auto& [kind, symmetry] : kinds)
        for (const bool reversed : {false, true})
            for (const index_t nullity : {1, 4, 15}) {
                const ForcedMapping& mapping = trouble_mappings()[turn++ % trouble_mappings().size()];
                CAPTURE(static_cast<int>(kind));
                CAPTURE(std::string(mapping.name));
                CAPTURE(reversed);
                CAPTURE(nullity);
                const index_t n = 40;
                const SparseMatrix<T> a = rank_deficient<T>(n, n - nullity, reversed, symmetry, 51);
                const DenseMatrix d = dense(a);
                REQUIRE(dense_rank(d, 1e-10) == n - nullity);
                const AnalysisResult analysed = analyze_as_given(a, kind, ScalingMethod::none);
                const Factors<T> factors = factored(analysed, a, mapping);
                check_null_set<T>(factors.report(), d, nullity);
                if (has_inertia<T>(kind)) check_inertia(factors.report(), d);
                for (const Operation operation : operations) check_consistent(factors, d, operation);
            }
}

TEST_CASE_TEMPLATE_APPLY(ranks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("columns are delayed through generations to the root", T, generations) {
    const Watchdog watchdog(300);

    const struct {
        Factorization kind;
        Symmetry symmetry;
    } kinds[] = {{Factorization::ldlt, Symmetry::symmetric},
                 {Factorization::ldlh, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric},
                 {Factorization::lu, Symmetry::general}};

    for (const auto& [kind, symmetry] : kinds)
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(std::string(mapping.name));
            const SparseMatrix<T> a = troubled_tips<T>(60, 6, symmetry, 61);
            const AnalysisResult analysed = analyze_as_given(a, kind);
            const Factors<T> factors = factored(analysed, a, mapping);
            // The first tip travels over some 50 columns to its partner, in fronts of a few each.
            const index_t fronts = analysed.analysis->tree.front_count();
            REQUIRE(fronts > 20);
            CHECK(factors.report().pivots.delayed >= 60);
            const auto b = RhsBlock<T>::random(60, 1, 62);
            RhsBlock<T> x(60, 1);
            CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
            CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
        }
}

TEST_CASE_TEMPLATE_APPLY(generations, Scalars);

namespace {

/// Two full blocks of `size` columns, large entries on their antidiagonals only, and a dominant
/// full border, which joins the second block in the root: two fronts whose good pivots lie in other
/// tiles.
template <class T>
SparseMatrix<T> antidiagonal_blocks(index_t size, index_t border) {
    Random random(71);
    const index_t n = 2 * size + border;
    SystemBuilder<T> a(n, Symmetry::general);
    for (const index_t first : {0, size})
        for (index_t j = 0; j < size; ++j)
            for (index_t i = 0; i < size; ++i)
                a.set(first + i, first + j,
                      i + j == size - 1 ? real_scalar<T>(1) : random.value<T>() * real_scalar<T>(1e-5));
    for (index_t k = 2 * size; k < n; ++k) {
        for (index_t j = 0; j < k; ++j) a.couple(k, j, random.value<T>() * real_scalar<T>(0.25));
        a.set(k, k, real_scalar<T>(30));
    }
    return a.matrix();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("LU without matching: good pivots in other tiles delay nothing", T, antidiagonals) {
    for (const index_t tile : {4, 6, 16}) {
        CAPTURE(tile);
        const SparseMatrix<T> a = antidiagonal_blocks<T>(32, 10);
        const AnalysisResult analysed = analyze_as_given(a, Factorization::lu, ScalingMethod::none);
        REQUIRE(analysed.analysis->tree.front_count() == 2);
        const Factors<T> factors = factored(analysed, a, {"tiles", tile, 0});
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().pivots.delayed == 0);
        // Half the columns have their pivots in tiles below, the other half find their rows taken.
        CHECK(factors.report().pivots.second_pass >= 64 - 2 * tile);
        const auto b = RhsBlock<T>::random(a.rows(), 1, 72);
        RhsBlock<T> x(a.rows(), 1);
        CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
    }
}

TEST_CASE_TEMPLATE_APPLY(antidiagonals, Scalars);

namespace {

/// The identity as a full pattern, 37 below the diagonal far from it: the one multiplier.
template <class T>
SparseMatrix<T> one_multiplier(Symmetry symmetry) {
    SystemBuilder<T> a(12, symmetry);
    for (index_t j = 0; j < 12; ++j)
        for (index_t i = 0; i < 12; ++i) a.set(i, j, real_scalar<T>(i == j ? 1 : 0));
    a.set(11, 1, real_scalar<T>(37));
    a.set(11, 11, real_scalar<T>(1e4));
    return a.matrix();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("the largest multiplier is measured", T, multipliers) {
    for (const Factorization kind : {Factorization::lu, Factorization::ldlt}) {
        const bool lu = kind == Factorization::lu;
        const SparseMatrix<T> a = one_multiplier<T>(lu ? Symmetry::general : Symmetry::symmetric);
        const AnalysisResult analysed = analyze_as_given(a, kind, ScalingMethod::none);
        FactorOptions options;
        CHECK(factored(analysed, a, {"tiles", 4, 0}, options).report().pivots.largest_l == 37);
        options.pivoting = Pivoting::static_pivots;
        CHECK(factored(analysed, a, {"tiles", 4, 0}, options).report().pivots.largest_l == 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(multipliers, Scalars);
