// SPDX-License-Identifier: BSD-3-Clause
// `deterministic`: bit-identical solutions whatever the number of workers and the scheduler.
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

struct Outcome {
    RhsBlock<double> x;
    FactorReport facts;
};

Outcome outcome_with(const SessionOptions& options, const SparseMatrix<double>& a, Factorization kind) {
    const Session session(options);
    AnalysisOptions analysis;
    analysis.factorization = kind;
    analysis.deterministic = true;
    const AnalysisResult result = analyze(a, analysis);
    const Factors<double> factors =
        factorize(session, remapped(*result.analysis, {"mixed", 32, 60}), a, {}, &result.scaling);
    const auto b = RhsBlock<double>::random(a.rows(), 3, 81);
    Outcome outcome{RhsBlock<double>(a.rows(), 3), factors.report()};
    static_cast<void>(solve(factors, b.view(), outcome.x.view()));
    return outcome;
}

}  // namespace

TEST_CASE("one, two and four workers give the same bits") {
    const Watchdog watchdog(120);
    four_workers();
    const SparseMatrix<double> indefinite = kkt<double>(7).matrix;
    const SparseMatrix<double> unsymmetric = convdiff3d<double>(10).matrix;
    const SparseMatrix<double> definite = poisson3d<double>(11).matrix;
    const struct {
        const SparseMatrix<double>& a;
        Factorization kind;
    } cases[] = {{definite, Factorization::llt}, {indefinite, Factorization::ldlt}, {unsymmetric, Factorization::lu}};
    for (const auto& [a, kind] : cases) {
        const Outcome one = outcome_with({.cpu_workers = 1}, a, kind);
        CHECK(one.facts.work.tasks > 100);  // else little could differ
        for (const SessionOptions& options : {SessionOptions{.cpu_workers = 2}, SessionOptions{.cpu_workers = 4},
                                              SessionOptions{.cpu_workers = 4, .scheduler = "prio"}}) {
            const Outcome other = outcome_with(options, a, kind);
            CHECK(other.x == one.x);
            CHECK(other.facts.work.tasks == one.facts.work.tasks);
            CHECK(other.facts.pivots.two_by_two == one.facts.pivots.two_by_two);
        }
    }
}
