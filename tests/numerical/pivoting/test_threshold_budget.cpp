// SPDX-License-Identifier: BSD-3-Clause
// Delayed columns and the memory budget: it is kept or said to be too small, and nothing hangs.
#include "child_process.hpp"
#include "error_oracle.hpp"
#include "frond/cpu/threshold.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "memory/predict_peak.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"
#include "trouble_systems.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

struct Problem {
    std::string name;
    SparseMatrix<double> matrix;
    Factorization kind;
    ForcedMapping mapping;
};

std::vector<Problem> problems() {
    constexpr auto symmetric = Symmetry::symmetric, general = Symmetry::general;
    return {{"L D L^T, zero diagonal",
             constant_diagonal<double>(150, 1, 0, symmetric, 1),
             Factorization::ldlt,
             {"tiles", 8, 0}},
            {"L D L^T, tips, above subtrees",
             troubled_tips<double>(160, 4, symmetric, 2),
             Factorization::ldlt,
             {"mixed", 6, 12}},
            {"LU, zero diagonal", constant_diagonal<double>(120, 1, 0, general, 3), Factorization::lu, {"tiles", 8, 0}},
            {"LU, saddle point, above subtrees",
             saddle_point<double>(60, 20, general, 4),
             Factorization::lu,
             {"mixed", 6, 10}}};
}

struct Mapped {
    std::shared_ptr<const Analysis> analysis;
    Scaling scaling;
    detail::PeakPrediction predicted;
};

Mapped mapped(const Problem& problem, index_t workers) {
    const AnalysisResult analysed = analyze_as_given(problem.matrix, problem.kind);
    const auto analysis = remapped(*analysed.analysis, problem.mapping);
    return {analysis, analysed.scaling, detail::predict_peak<double>(*analysis, workers)};
}

/// Success within the budget and a right solution, or an error that names the numbers.
bool passes(const Session& session, const Problem& problem, const Mapped& m, count_t budget) {
    FactorOptions options;
    options.memory_budget_bytes = budget;
    try {
        const Factors<double> factors = factorize(session, m.analysis, problem.matrix, options, &m.scaling);
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().pivots.delayed > 0);
        CHECK(factors.report().memory.peak_bytes <= budget);
        const index_t n = problem.matrix.rows();
        const auto b = RhsBlock<double>::random(n, 1, 5);
        RhsBlock<double> x(n, 1);
        CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
        return true;
    } catch (const MemoryBudgetExceeded& error) {
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(error.budget_bytes() == budget);
        CHECK(error.needed_bytes() > budget);
        CHECK(text.find("front ") != std::string::npos);
        CHECK(text.find("predicted") != std::string::npos);
        CHECK(text.find("delayed") != std::string::npos);
        CHECK(text.find(std::to_string(budget)) != std::string::npos);
    }
    CHECK(host_heap().used_bytes() == 0);
    return false;
}

void check_budgets(index_t workers, const std::vector<Problem>& all, const std::vector<index_t>& steps) {
    four_workers();
    const Session session(SessionOptions{.cpu_workers = workers});
    count_t refused = 0;
    for (const Problem& problem : all) {
        CAPTURE(problem.name);
        const Mapped m = mapped(problem, workers);
        // What the fronts themselves take; delays need more, but not ten times as much.
        const count_t least = m.predicted.sequential_bytes, fronts = least - m.predicted.fixed_bytes;
        for (const index_t step : steps) {
            CAPTURE(step);
            refused += !passes(session, problem, m, least + fronts * step * step / 64);
        }
        CHECK(passes(session, problem, m, least + 10 * fronts));
    }
    CHECK(refused > 0);
    CHECK(host_heap().used_bytes() == 0);
}

/// Bytes of everything that the leaf and middle fronts of a broom hand to their parents.
count_t bytes_of_delayed_columns(const Analysis& analysis, const Broom& broom) {
    count_t scalars = 0;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        const Front& front = analysis.tree.fronts[static_cast<std::size_t>(f)];
        if (front.parent < 0) continue;
        const bool is_leaf = front.npiv == broom.leaf_columns;
        const count_t delayed = broom.tips * (is_leaf ? 1 : broom.leaves), ncb = front.ncb();
        const count_t row_part = analysis.factorization == Factorization::lu ? delayed * ncb : 0;
        scalars += delayed * (delayed + ncb) + row_part;
    }
    return scalars * static_cast<count_t>(sizeof(double));
}

/// More than second passes of all fronts at one time take on the way: blocks of the failed columns, at
/// most all columns of the front, three times (as they grow; as copies) and the work vector.
count_t bytes_on_the_way(const Analysis& analysis, const Broom& broom) {
    count_t scalars = 0;
    for (const Front& front : analysis.tree.fronts) {
        const bool is_leaf = front.npiv == broom.leaf_columns, is_root = front.parent < 0;
        const count_t groups = is_root ? broom.groups : 1, leaves = is_leaf ? 0 : broom.leaves;
        const count_t pending = front.npiv + groups * leaves * broom.tips, height = pending + front.ncb();
        const count_t blocks = pending * (front.npiv + height);
        scalars += (analysis.factorization == Factorization::lu ? 6 : 3) * blocks +
                   cpu::factor_second_pass_ldlt_workspace(static_cast<index_t>(pending), front.ncb()) +
                   cpu::factor_second_pass_lu_workspace(static_cast<index_t>(pending), front.ncb(),
                                                        static_cast<index_t>(pending), front.ncb());
    }
    return scalars * static_cast<count_t>(sizeof(double));
}

/// As much as fronts one after the other and everything that no prediction knew of take together.
count_t budget_for_all(const Session& session, const Problem& problem, const Broom& broom, const Mapped& m) {
    const Factors<double> factors = factorize(session, m.analysis, problem.matrix, {}, &m.scaling);
    const FactorReport& report = factors.report();
    REQUIRE(report.pivots.delayed == 2 * broom.groups * broom.leaves * broom.tips);
    const count_t second_passes = report.memory.factor_bytes - m.predicted.factor_bytes;
    REQUIRE(second_passes > 0);
    return m.predicted.sequential_bytes + second_passes + bytes_of_delayed_columns(*m.analysis, broom) +
           bytes_on_the_way(*m.analysis, broom);
}

void check_broom(const Session& session, Symmetry symmetry) {
    const Broom broom;
    const Problem problem{"broom",
                          broom_matrix<double>(broom, symmetry, 7),
                          symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt,
                          {"tiles", 4, 0}};
    const Mapped m = mapped(problem, session.info().cpu_workers);
    REQUIRE(m.analysis->tree.front_count() == broom.groups * (broom.leaves + 1) + 1);
    const count_t budget = budget_for_all(session, problem, broom, m);
    for (int again = 0; again < 5; ++again) REQUIRE(passes(session, problem, m, budget));
}

/// The broom with a large diagonal: nothing is delayed.
Problem easy_broom(Symmetry symmetry) {
    SparseMatrix<double> a = broom_matrix<double>({}, symmetry, 7);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            if (a.pattern.row[static_cast<std::size_t>(e)] == j) a.value[static_cast<std::size_t>(e)] = 50;
    const auto kind = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
    return {"broom without delays", std::move(a), kind, {"tiles", 4, 0}};
}

/// What the postorder needs is enough for any number of workers.
void check_sequential_peak(const Session& session, Symmetry symmetry) {
    const Problem problem = easy_broom(symmetry);
    const Mapped m = mapped(problem, session.info().cpu_workers);
    FactorOptions options;
    options.memory_budget_bytes = m.predicted.sequential_bytes;
    for (int again = 0; again < 5; ++again) {
        const Factors<double> factors = factorize(session, m.analysis, problem.matrix, options, &m.scaling);
        CHECK(factors.report().pivots.delayed == 0);
        CHECK(factors.report().memory.peak_bytes <= options.memory_budget_bytes);
        REQUIRE(factors.report().status == FactorStatus::success);
    }
}

}  // namespace

TEST_CASE("child: many fronts wait for the pivots of their children" * doctest::skip()) {
    four_workers();
    const Session session(SessionOptions{.cpu_workers = 16});
    check_broom(session, Symmetry::symmetric);
    check_broom(session, Symmetry::general);
    check_sequential_peak(session, Symmetry::symmetric);
    check_sequential_peak(session, Symmetry::general);
}

TEST_CASE("child: budgets and delays with 16 workers" * doctest::skip()) {
    // Many more workers than cores only spin: the two with subtrees and tiles are enough.
    const std::vector<Problem> all = problems();
    check_budgets(16, {all[1], all[3]}, {0});
}

TEST_CASE("child: budgets and delays with one worker" * doctest::skip()) {
    check_budgets(1, problems(), {0, 1, 2, 3, 4, 6, 8, 12});
}

TEST_CASE("budgets from the sequential peak up: kept to with delays, or refused with the numbers") {
    CHECK(run_case_in_child("child: budgets and delays with one worker", {}, 100) == 0);
    CHECK(run_case_in_child("child: budgets and delays with 16 workers", {}, 300) == 0);
}

TEST_CASE("a budget that holds all fronts and all delays is enough, however many children wait") {
    CHECK(run_case_in_child("child: many fronts wait for the pivots of their children", {}, 200) == 0);
}
