// SPDX-License-Identifier: BSD-3-Clause
// Static pivoting that refinement cannot repair gives way to threshold pivoting.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "rhs_block.hpp"
#include "sample_systems.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// Pivots raised to 0.9 of the norm: factors of another matrix.
FactorOptions hopeless() {
    FactorOptions options;
    options.pivoting = Pivoting::static_pivots;
    options.static_pivot_tolerance = 0.9;
    return options;
}

SolveOptions few_steps() {
    SolveOptions options;
    options.max_refinement_steps = 1;
    options.krylov = Krylov::off;
    return options;
}

template <class T>
SparseMatrix<T> random_matrix(Symmetry symmetry = Symmetry::general) {
    return random_sparse<T>(150, 3, symmetry, false, 6);
}

/// The same pattern, with 0 in row and column k.
template <class T>
SparseMatrix<T> without_row_and_column(SparseMatrix<T> a, index_t k) {
    const Pattern& p = a.pattern;
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[static_cast<std::size_t>(j)]; e < p.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (j == k || p.row[static_cast<std::size_t>(e)] == k) a.value[static_cast<std::size_t>(e)] = T(0);
    return a;
}

template <class T>
Solver<T> factored(const SparseMatrix<T>& a, const FactorOptions& options) {
    Solver<T> solver(shared_session());
    solver.factor(a, options);
    return solver;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a solve that failed is redone, once", T, redone) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
        const SparseMatrix<T> a = random_matrix<T>(symmetry);
        const index_t n = a.rows();
        Solver<T> solver(shared_session());
        const FactorReport& facts = solver.factor(a, hopeless());
        REQUIRE(facts.pivoting == Pivoting::static_pivots);
        REQUIRE(facts.status == FactorStatus::perturbed);
        CHECK_FALSE(facts.escalated);
        const RhsBlock<T> b = RhsBlock<T>::random(n, 2, 3);
        RhsBlock<T> x(n, 2), y(n, 2);
        const SolveReport first = solver.solve(b.view(), x.view(), few_steps());
        CHECK(first.escalated);
        CHECK(first.status == SolveStatus::converged);
        // The report that factor() gave tells of the factors there are now.
        CHECK(facts.escalated);
        CHECK(facts.pivoting == Pivoting::threshold);
        CHECK(facts.status == FactorStatus::success);
        CHECK(solver.factors().report().escalated);
        const SolveReport second = solver.solve(b.view(), y.view(), few_steps());
        CHECK_FALSE(second.escalated);
        CHECK(second.status == SolveStatus::converged);
        CHECK(x == y);
        CHECK_FALSE(solver.factor(a).escalated);
    }
}
TEST_CASE_TEMPLATE_APPLY(redone, Scalars);

TEST_CASE_TEMPLATE_DEFINE("also when X is written over B, and through solve_async", T, in_place) {
    const SparseMatrix<T> a = random_matrix<T>();
    const index_t n = a.rows();
    RhsBlock<T> b = RhsBlock<T>::random(n, 2, 3, 5), x(n, 2, 5);
    Solver<T> solver = factored(a, hopeless());
    CHECK(solver.solve_async(std::as_const(b).view(), x.view(), few_steps()).get().escalated);
    Solver<T> other = factored(a, hopeless());
    CHECK(other.solve(std::as_const(b).view(), b.view(), few_steps()).escalated);
    CHECK(x == b);
}
TEST_CASE_TEMPLATE_APPLY(in_place, Scalars);

TEST_CASE_TEMPLATE_DEFINE("factors that somebody else holds stay whole", T, held) {
    const SparseMatrix<T> a = random_matrix<T>();
    const index_t n = a.rows();
    Solver<T> solver = factored(a, hopeless());
    const Factors<T> kept = solver.factors();
    const RhsBlock<T> b = RhsBlock<T>::random(n, 1, 3);
    RhsBlock<T> x(n, 1), y(n, 1), z(n, 1);
    const SolveReport before = solve<T>(kept, b.view(), x.view(), few_steps());
    CHECK(solver.solve(b.view(), y.view(), few_steps()).escalated);
    const SolveReport after = solve<T>(kept, b.view(), z.view(), few_steps());
    CHECK(x == z);
    CHECK(before.componentwise_backward_error == after.componentwise_backward_error);
    CHECK_FALSE(after.escalated);
}
TEST_CASE_TEMPLATE_APPLY(held, Scalars);

TEST_CASE_TEMPLATE_DEFINE("factors made again after a failure are those of the escalation", T, made_again) {
    const SparseMatrix<T> a = poisson2d<T>(30).matrix;
    AnalysisOptions lu;
    lu.factorization = Factorization::lu;
    Solver<T> solver(shared_session(), lu);
    solver.factor(a, hopeless());
    const RhsBlock<T> b = RhsBlock<T>::random(a.rows(), 1, 3);
    RhsBlock<T> x(a.rows(), 1), y(a.rows(), 1);
    REQUIRE(solver.solve(b.view(), x.view(), few_steps()).escalated);
    const FactorReport report = solver.factors().report();
    FactorOptions failing;
    failing.null_pivots = NullPivots::error;
    // Enough for these factors, not for both: the earlier ones go first.
    failing.memory_budget_bytes = report.memory.peak_bytes + report.memory.factor_bytes - 1;
    const index_t last = solver.analysis()->column_order.back();  // columns before are not delayed
    CHECK_THROWS_AS(solver.factor(without_row_and_column(a, last), failing), SingularMatrix);
    REQUIRE(bool(solver.factors()));
    CHECK(solver.factors().report().pivoting == Pivoting::threshold);
    CHECK(solver.factors().report().escalated);
    CHECK(solver.solve(b.view(), y.view(), few_steps()).status == SolveStatus::converged);
    CHECK(x == y);
}
TEST_CASE_TEMPLATE_APPLY(made_again, Scalars);

TEST_CASE_TEMPLATE_DEFINE("not when it was not asked for or cannot help", T, not_done) {
    const SparseMatrix<T> a = random_matrix<T>();
    const index_t n = a.rows();
    const RhsBlock<T> b = RhsBlock<T>::random(n, 1, 3);
    RhsBlock<T> x(n, 1);
    const auto escalates = [&](const FactorOptions& f, const SolveOptions& s) {
        Solver<T> solver = factored(a, f);
        const bool told = solver.solve(b.view(), x.view(), s).escalated;
        CHECK(told == solver.factors().report().escalated);
        return told;
    };
    CHECK(escalates(hopeless(), few_steps()));

    FactorOptions fixed = hopeless();
    fixed.escalate = false;
    CHECK_FALSE(escalates(fixed, few_steps()));

    SolveOptions raw = few_steps();  // who asks for no refinement asks for these factors
    raw.max_refinement_steps = 0;
    CHECK_FALSE(escalates(hopeless(), raw));

    SolveOptions part = few_steps();
    part.part = SolvePart::forward;
    CHECK_FALSE(escalates(hopeless(), part));

    SolveOptions impossible;
    impossible.target_backward_error = 1e-30;
    CHECK_FALSE(escalates(FactorOptions{}, impossible));

    const Solver<T> constant = factored(a, hopeless());
    const SolveReport report = constant.solve(b.view(), x.view(), few_steps());
    CHECK_FALSE(report.escalated);
    CHECK(report.status == SolveStatus::not_converged);
}
TEST_CASE_TEMPLATE_APPLY(not_done, Scalars);

TEST_CASE("an escalation that is cancelled throws, and the next solve works") {
    using T = std::tuple_element_t<0, Scalars>;
    const SparseMatrix<T> a = random_matrix<T>();
    Solver<T> solver = factored(a, hopeless());
    const RhsBlock<T> b = RhsBlock<T>::random(a.rows(), 1, 3);
    RhsBlock<T> x(a.rows(), 1);
    std::atomic<bool> cancel{false};
    SolveOptions options = few_steps();
    options.cancel = &cancel;
    cancel = true;
    CHECK_THROWS_AS(static_cast<void>(solver.solve(b.view(), x.view(), options)), Cancelled);
    cancel = false;
    CHECK(solver.solve(b.view(), x.view(), options).status == SolveStatus::converged);
}
