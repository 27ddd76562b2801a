// SPDX-License-Identifier: BSD-3-Clause
// Bytes of columns that pivoting sets back: counted when they are taken, refused, given back.
#include "data/pivots.hpp"
#include "forced_mapping.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "frond/frond.hpp"
#include "memory/predict_peak.hpp"
#include "session/parallel_for.hpp"
#include "shared_session.hpp"
#include "submit/scaled_entries.hpp"
#include "submit/submit_units.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t scalar_bytes = static_cast<count_t>(sizeof(double));

/// (0 B; B^T 0), LU: (0 B; C 0), dense, with large diagonals of B and C.
SparseMatrix<double> no_diagonal_blocks(index_t half, Symmetry symmetry) {
    Random random(5);
    SystemBuilder<double> a(2 * half, symmetry);
    for (index_t j = 0; j < 2 * half; ++j)
        for (index_t i = symmetry == Symmetry::general ? 0 : j; i < 2 * half; ++i) {
            const double x = random.value<double>();
            a.set(i, j,
                  (i < half) == (j < half) ? 0.0
                  : i % half == j % half   ? 4.0 * static_cast<double>(half)
                                           : x);
        }
    return a.matrix();
}

struct Problem {
    std::string name;
    SparseMatrix<double> matrix;
    Factorization kind;
    ForcedMapping mapping;
    index_t second_pass;     // columns at least
    count_t pending_scalars; // at one time, at least
};

constexpr index_t half = 40, order = 2 * half;
constexpr count_t block = static_cast<count_t>(order) * order;

/// On tiles every column fails and is pending at the end; in subtrees there are hard fronts.
std::vector<Problem> columns_fail() {
    constexpr auto symmetric = Symmetry::symmetric, general = Symmetry::general;
    constexpr auto ldlt = Factorization::ldlt, lu = Factorization::lu;
    const ForcedMapping tiles{"tiles", 16, 0}, subtree{"subtree", 16, 1 << 20};
    return {{"L D L^T, tiles", no_diagonal_blocks(half, symmetric), ldlt, tiles, order, 2 * block},
            {"LU, tiles", no_diagonal_blocks(half, general), lu, tiles, order, 3 * block},
            {"L D L^T, subtree", troubled_tips<double>(160, 4, symmetric, 2), ldlt, subtree, 1, 1},
            {"LU, subtree", troubled_tips<double>(160, 4, general, 2), lu, subtree, 1, 1}};
}

FactorReport factored(const std::shared_ptr<const Analysis>& analysis, const Problem& problem,
                      const Scaling& scaling, count_t budget_bytes) {
    FactorOptions options;
    options.memory_budget_bytes = budget_bytes;
    return factorize(shared_session(), analysis, problem.matrix, options, &scaling).report();
}

/// The parts of a factorization, with a budget that can be asked afterwards.
template<class T>
void check_nothing_left(detail::FactorsState<T>& state, const PivotRule& rule) {
    const Analysis& analysis = *state.analysis;
    const detail::PeakPrediction predicted = detail::predict_peak<T>(analysis, 4);
    const detail::JobGuard guard(*state.session);
    const auto entries = detail::scale_entries(*state.matrix, analysis, state.scaling,
                                               detail::parallel_for_on(*state.session));
    detail::MemoryBudget budget(predicted.parallel_bytes, 10 * predicted.parallel_bytes);
    WorkspacePool workspaces(detail::workspace_bytes<T>(analysis));
    Job job;
    detail::FactorizationContext<T> context;
    context.job = &job;
    context.state = &state;
    context.entries = entries.data();
    context.rule = rule;
    context.budget = &budget;
    context.workspaces = &workspaces;
    state.subtrees.resize(analysis.mapping.subtrees.size());
    state.tiled.resize(analysis.mapping.grids.size());
    detail::UnitSubmission<T> units(context, analysis);
    units.submit_all();
    job.wait();
    count_t leftover_bytes = 0;
    detail::for_each_leftover<T>(state,
                                 [&](const cpu::Leftover<T>& l) { leftover_bytes += l.bytes(); });
    CHECK(leftover_bytes > 0);
    CHECK(budget.unforeseen_bytes() == leftover_bytes);
    CHECK(budget.used_bytes() == predicted.factor_bytes + leftover_bytes);
    CHECK(budget.limit_bytes() == predicted.parallel_bytes + leftover_bytes);
}

} // namespace

TEST_CASE("pending columns are counted, and refused when the budget has no room for them") {
    const Watchdog watchdog(60);
    for (const Problem& problem : columns_fail()) {
        CAPTURE(problem.name);
        const AnalysisResult analysed =
            analyze_as_given(problem.matrix, problem.kind, ScalingMethod::none);
        const auto analysis = remapped(*analysed.analysis, problem.mapping);
        REQUIRE(analysis->mapping.subtrees.size() + analysis->mapping.grids.size() == 1);
        const auto run = [&](count_t budget_bytes) {
            return factored(analysis, problem, analysed.scaling, budget_bytes);
        };
        const FactorReport free = run(count_t{1} << 30);
        CHECK(free.second_pass >= problem.second_pass);
        const count_t foreseen = detail::predict_peak<double>(*analysis, 4).sequential_bytes;
        const count_t unforeseen = free.peak_bytes - foreseen;
        CHECK(unforeseen >= problem.pending_scalars * scalar_bytes);
        const FactorReport enough = run(free.peak_bytes);
        CHECK(enough.status == FactorStatus::success);
        CHECK(enough.peak_bytes == free.peak_bytes);
        for (const count_t missing : {count_t{1}, block * scalar_bytes / 2, unforeseen - 1})
            CHECK_THROWS_AS(run(free.peak_bytes - missing), MemoryBudgetExceeded);
    }
    CHECK(host_heap().used_bytes() == 0);
}

TEST_CASE("at the end the budget counts what the factors hold, and no more") {
    const Watchdog watchdog(60);
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general})
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(mapping.name);
            const auto kind =
                symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            detail::FactorsState<double> state;
            auto matrix = troubled_tips<double>(160, 4, symmetry, 2);
            const AnalysisResult analysed = analyze_as_given(matrix, kind, ScalingMethod::none);
            state.session = shared_session().state();
            state.analysis = remapped(*analysed.analysis, mapping);
            state.matrix = std::make_shared<const SparseMatrix<double>>(std::move(matrix));
            state.scaling = analysed.scaling;
            PivotRule rule;
            rule.threshold = 0.01;
            rule.zero_pivot = 1e-13;
            rule.smallest_pivot = 1;
            check_nothing_left(state, rule);
        }
    CHECK(host_heap().used_bytes() == 0);
}
