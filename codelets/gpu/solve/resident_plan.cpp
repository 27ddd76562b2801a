// SPDX-License-Identifier: BSD-3-Clause
#include "solve/resident_plan.hpp"

#include "frond/base/vector_index.hpp"
#include "solve/solve_phases.hpp"

namespace frond::gpu {

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis& analysis) {
    auto plan = std::make_shared<ResidentPlan>();
    plan->layout = lay_out_vectors(analysis.tree);
    plan->steps = solve_steps(analysis);
    plan->rows = row_tables(analysis.tree, plan->layout);
    return plan;
}

ResidentBytes resident_bytes(const Analysis& analysis, const ResidentPlan& plan, count_t scalar_bytes) {
    const VectorLayout& layout = plan.layout;
    const SolveSteps& steps = plan.steps;
    ResidentBytes b;
    b.inverses = steps.scalars * scalar_bytes;
    constexpr count_t by_column = 7;  // x, w of the substitution; b, best, trial, r, weights of the refinement
    const count_t rows = layout.rows + layout.outside;
    b.vectors = (rows + by_column * (analysis.order + layout.outside)) * scalar_bytes;
    b.tables = (2 * rows + static_cast<count_t>(plan.rows.pull.size() + 2 * at(analysis.order))) * 4;
    b.phases = count_phases(analysis, layout, steps);
    return b;
}

}  // namespace frond::gpu
