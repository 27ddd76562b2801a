// SPDX-License-Identifier: BSD-3-Clause
// Every kind of factorization, on subtrees, on tiles and on both, against dense arithmetic in
// extended precision.
#include "error_oracle.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t all_columns = 1 << 20;

const ForcedMapping mappings[] = {{"one subtree", 16, all_columns},
                                  {"tiles of 16", 16, 0},
                                  {"tiles of 5 above subtrees", 5, 20},
                                  {"tiles of 24 above subtrees", 24, 40}};

/// Longest chain of operations behind one entry of a solution: an inner product in the
/// factorization, one in each substitution.
template <class T>
double direct_bound(index_t n) {
    return rounding_bound<T>(3 * n);
}

/// What refinement in working precision reaches: the residual's own rounding, a few times over.
template <class T>
double refined_bound(const DenseMatrix& a) {
    count_t longest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        count_t entries = 0;
        for (index_t j = 0; j < a.cols; ++j) entries += a(i, j) != Wide(0);
        longest = std::max(longest, entries);
    }
    return rounding_bound<T>(4 * (longest + 1)) + 10 * epsilon<T>();
}

template <class T>
struct Prepared {
    SampleSystem<T> system;
    AnalysisResult analysed;
    DenseMatrix dense;
};

template <class T>
std::vector<Prepared<T>> prepared_systems() {
    std::vector<Prepared<T>> list;
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        AnalysisOptions options;
        options.factorization = system.kind;
        options.amalgamation_zeros = 1e-9;  // many small fronts
        list.push_back({system, analyze(system.matrix, options), dense(system.matrix)});
    }
    return list;
}

template <class T>
Factors<T> factors_on(const Prepared<T>& p, const ForcedMapping& mapping) {
    return factorize(shared_session(), remapped(*p.analysed.analysis, mapping), p.system.matrix, {},
                     &p.analysed.scaling);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("solutions are those of the dense system", T, dense_agreement) {
    for (const Prepared<T>& p : prepared_systems<T>())
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(p.system.name);
            CAPTURE(mapping.name);
            const Factors<T> factors = factors_on(p, mapping);
            const index_t n = p.system.matrix.rows();
            const auto b = RhsBlock<T>::random(n, 2, 21);
            RhsBlock<T> x(n, 2);
            const SolveReport report = solve(factors, b.view(), x.view());
            CHECK(report.status == SolveStatus::converged);
            CHECK(factors.report().factorization == factors.analysis().factorization);
            const DenseMatrix xw = widened(x), bw = widened(b);
            const double bound = refined_bound<T>(p.dense);
            const double error = componentwise_error(p.dense, xw, bw);
            CHECK(error <= bound);
            CHECK(forward_ratio(p.dense, xw, bw) <= bound);
            // The error reported is the error there is, up to the rounding of the residual.
            CHECK(report.componentwise_backward_error >= error - bound);
            CHECK(report.componentwise_backward_error <= error + bound);
            CHECK(report.backward_error >= normwise_error(p.dense, xw, bw) - bound);
        }
}
TEST_CASE_TEMPLATE_APPLY(dense_agreement, Scalars);

TEST_CASE_TEMPLATE_DEFINE("factors alone, without refinement, are backward stable", T, unrefined) {
    for (const Prepared<T>& p : prepared_systems<T>())
        for (const ForcedMapping& mapping : mappings) {
            const Factors<T> factors = factors_on(p, mapping);
            if (factors.report().status != FactorStatus::success) continue;
            CAPTURE(p.system.name);
            CAPTURE(mapping.name);
            const index_t n = p.system.matrix.rows();
            const auto b = RhsBlock<T>::random(n, 3, 22);
            RhsBlock<T> x(n, 3);
            SolveOptions options;
            options.max_refinement_steps = 0;
            const SolveReport report = solve(factors, b.view(), x.view(), options);
            CHECK(report.refinement_steps == 0);
            // Static pivots bound no growth; on these matrices it stays below 100.
            const double growth = p.system.kind == Factorization::llt ? 1 : 100;
            CHECK(normwise_error(p.dense, widened(x), widened(b)) <= growth * direct_bound<T>(n));
        }
}
TEST_CASE_TEMPLATE_APPLY(unrefined, Scalars);

TEST_CASE_TEMPLATE_DEFINE("transposed and adjoint systems", T, operations) {
    for (const Prepared<T>& p : prepared_systems<T>())
        for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(p.system.name);
            CAPTURE(static_cast<int>(operation));
            const Factors<T> factors = factors_on(p, mappings[2]);
            const index_t n = p.system.matrix.rows();
            const auto b = RhsBlock<T>::random(n, 3, 23);
            RhsBlock<T> x(n, 3);
            SolveOptions options;
            options.operation = operation;
            const SolveReport report = solve(factors, b.view(), x.view(), options);
            CHECK(report.status == SolveStatus::converged);
            const DenseMatrix a = apply_operation(p.dense, operation);
            CHECK(componentwise_error(a, widened(x), widened(b)) <= refined_bound<T>(a));
        }
}
TEST_CASE_TEMPLATE_APPLY(operations, Scalars);

TEST_CASE_TEMPLATE_DEFINE("any number of right-hand sides, any leading dimension", T, many_rhs) {
    const std::vector<Prepared<T>> systems = prepared_systems<T>();
    for (const std::size_t s : {std::size_t{0}, systems.size() - 3}) {
        const Prepared<T>& p = systems[s];
        CAPTURE(p.system.name);
        const Factors<T> factors = factors_on(p, mappings[2]);
        const index_t n = p.system.matrix.rows();
        for (const index_t rhs : {1, 3, 64, 65, 130}) {
            CAPTURE(rhs);
            const auto b = RhsBlock<T>::random(n, rhs, 24, 5);
            RhsBlock<T> x(n, rhs, 9);
            const SolveReport report = solve(factors, b.view(), x.view());
            REQUIRE(report.rhs == rhs);
            CHECK(report.backward_errors.size() == static_cast<std::size_t>(rhs));
            CHECK(x.guards_intact());
            CHECK(componentwise_error(p.dense, widened(x), widened(b)) <= refined_bound<T>(p.dense));
            RhsBlock<T> in_place = b;  // X over B gives the very same numbers
            static_cast<void>(solve(factors, std::as_const(in_place).view(), in_place.view()));
            CHECK(in_place.guards_intact());
            CHECK(widened(in_place).data == widened(x).data);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(many_rhs, Scalars);

TEST_CASE_TEMPLATE_DEFINE("forward, diagonal and backward parts make the whole", T, parts) {
    for (const Prepared<T>& p : prepared_systems<T>())
        for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint}) {
            CAPTURE(p.system.name);
            CAPTURE(static_cast<int>(operation));
            const Factors<T> factors = factors_on(p, mappings[2]);
            const index_t n = p.system.matrix.rows();
            const auto b = RhsBlock<T>::random(n, 2, 25);
            RhsBlock<T> x = b, whole(n, 2);
            SolveOptions options;
            options.operation = operation;
            options.max_refinement_steps = 0;
            static_cast<void>(solve(factors, b.view(), whole.view(), options));
            for (const SolvePart part : {SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
                options.part = part;
                const SolveReport report = solve(factors, std::as_const(x).view(), x.view(), options);
                CHECK(report.status == SolveStatus::not_measured);
                CHECK(std::isnan(report.backward_error));
                CHECK(std::isnan(report.componentwise_backward_error));
            }
            CHECK(largest_difference(widened(x), widened(whole)) == 0);
        }
}
TEST_CASE_TEMPLATE_APPLY(parts, Scalars);

TEST_CASE_TEMPLATE_DEFINE("forward of L L^H gives the energy: y^H y = b^H A^-1 b", T, energy) {
    for (const Prepared<T>& p : prepared_systems<T>()) {
        if (p.system.kind != Factorization::llt) continue;
        CAPTURE(p.system.name);
        const index_t n = p.system.matrix.rows();
        const auto b = RhsBlock<T>::random(n, 1, 26);
        RhsBlock<T> y(n, 1);
        SolveOptions options;
        options.part = SolvePart::forward;
        const SolveReport report = solve(factors_on(p, mappings[2]), b.view(), y.view(), options);
        CHECK(report.refinement_steps == 0);
        const DenseMatrix x = solve_dense(p.dense, widened(b));
        long double energy = 0, squares = 0, size = 0;
        for (index_t i = 0; i < n; ++i) {
            energy += (std::conj(widen(b(i, 0))) * x(i, 0)).real();
            size += std::abs(widen(b(i, 0))) * std::abs(x(i, 0));
            squares += std::norm(widen(y(i, 0)));
        }
        CHECK(std::abs(squares - energy) <= 10 * direct_bound<T>(n) * size);
    }
}
TEST_CASE_TEMPLATE_APPLY(energy, Scalars);
