// SPDX-License-Identifier: BSD-3-Clause
// Bytes of columns that pivoting sets back: counted when they are taken, refused, given back.
#include "factorization_parts.hpp"
#include "failing_columns.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t scalar_bytes = static_cast<count_t>(sizeof(double));

FactorReport factored(const std::shared_ptr<const Analysis>& analysis, const FailingColumns& problem,
                      const Scaling& scaling, count_t budget_bytes) {
    FactorOptions options;
    options.memory_budget_bytes = budget_bytes;
    return factorize(shared_session(), analysis, problem.matrix, options, &scaling).report();
}

void check_nothing_left(FactorizationParts<double>& parts) {
    const detail::PeakPrediction predicted = parts.predicted();
    detail::MemoryBudget budget(predicted.parallel_bytes, 10 * predicted.parallel_bytes);
    parts.run(budget);
    const count_t second_pass_bytes = parts.second_pass_bytes();
    CHECK(second_pass_bytes > 0);
    CHECK(budget.unforeseen_bytes() == second_pass_bytes);
    CHECK(budget.ensured_bytes() == 0);
    CHECK(budget.refusals() == 0);
    CHECK(budget.used_bytes() == predicted.factor_bytes + second_pass_bytes);
    CHECK(budget.limit_bytes() == predicted.parallel_bytes + second_pass_bytes);
}

}  // namespace

TEST_CASE("free memory is asked for when what nobody foresaw passes what is enough at first, and once") {
    int asked = 0;
    detail::MemoryBudget budget(100, 120, [&asked] { return ++asked, count_t{160}; });
    count_t needed = 0;
    REQUIRE(budget.try_reserve(90));
    CHECK_FALSE(budget.try_reserve(20));
    CHECK(budget.try_add_unforeseen(10, needed));
    CHECK(budget.try_reserve(10));  // what was foreseen fits beside what was not
    CHECK(asked == 0);
    CHECK(budget.try_add_unforeseen(30, needed));  // 110 are in use
    CHECK(asked == 1);
    CHECK_FALSE(budget.try_add_unforeseen(21, needed));
    CHECK(needed == 161);
    CHECK(budget.most_bytes() == 160);
    CHECK(asked == 1);
}

TEST_CASE("failed columns are counted, and refused when the budget has no room for them") {
    const Watchdog watchdog(60);
    for (const FailingColumns& problem : failing_columns()) {
        CAPTURE(problem.name);
        const AnalysisResult analysed = analyze_as_given(problem.matrix, problem.kind, ScalingMethod::none);
        const auto analysis = remapped(*analysed.analysis, problem.mapping);
        REQUIRE(analysis->mapping.subtrees.size() + analysis->mapping.grids.size() == 1);
        const auto run = [&](count_t budget_bytes) {
            return factored(analysis, problem, analysed.scaling, budget_bytes);
        };
        const FactorReport free = run(count_t{1} << 30);
        CHECK(free.pivots.second_pass >= problem.second_pass);
        const count_t foreseen = detail::predict_peak<double>(*analysis, 4).sequential_bytes;
        const count_t unforeseen = free.memory.peak_bytes - foreseen;
        CHECK(unforeseen >= problem.failed_scalars * scalar_bytes);
        const FactorReport enough = run(free.memory.peak_bytes);
        CHECK(enough.status == FactorStatus::success);
        CHECK(enough.memory.peak_bytes == free.memory.peak_bytes);
        for (const count_t missing : {count_t{1}, failing_block * scalar_bytes / 2, unforeseen - 1})
            CHECK_THROWS_AS(run(free.memory.peak_bytes - missing), MemoryBudgetExceeded);
    }
    CHECK(host_heap().used_bytes() == 0);
}

TEST_CASE("at the end the budget counts what the factors hold, and no more") {
    const Watchdog watchdog(60);
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general})
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(mapping.name);
            const auto kind = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            auto matrix = troubled_tips<double>(160, 4, symmetry, 2);
            const AnalysisResult analysed = analyze_as_given(matrix, kind, ScalingMethod::none);
            FactorizationParts<double> parts(remapped(*analysed.analysis, mapping), std::move(matrix),
                                             analysed.scaling);
            check_nothing_left(parts);
        }
    CHECK(host_heap().used_bytes() == 0);
}
