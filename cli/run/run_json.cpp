// SPDX-License-Identifier: BSD-3-Clause
#include "run_json.hpp"

#include "frond/base/output_file.hpp"
#include "frond/enum_text.hpp"
#include "rank_plan.hpp"
#include "ranks/rank_work.hpp"
#include "run_table.hpp"
#include "version_text.hpp"

#include <algorithm>
#include <cmath>

namespace frond::cli {
namespace {

Json matrix_json(const MatrixFacts& m) {
    if (m.scalar.empty()) return {{"name", m.name}};  // not read
    return {{"name", m.name},
            {"rows", m.rows},
            {"entries", m.entries},
            {"stored_entries", m.stored_entries},
            {"scalar", m.scalar},
            {"symmetry", to_string(m.symmetry)},
            {"duplicates_summed", m.input.duplicates_summed},
            {"underflows", m.underflows},
            {"read_seconds", m.seconds}};
}

Json candidates_json(const std::vector<OrderingCandidate>& candidates) {
    Json list = Json::array();
    for (const OrderingCandidate& c : candidates)
        list.push_back({{"ordering", to_string(c.method)},
                        {"seconds", number_json(c.seconds)},
                        {"flops", number_json(c.flops)},
                        {"factor_entries", c.factor_entries}});
    return list;
}

Json machine_json(const MachineDescription& m) {
    return {{"cores", m.cores},
            {"core_flops_per_second", number_json(m.core_flops_per_second)},
            {"devices", m.devices},
            {"device_flops_per_second", number_json(m.device_flops_per_second)},
            {"level_seconds", number_json(m.level_seconds)},
            {"step_seconds", number_json(m.step_seconds)}};
}

Json analysis_json(const RunFacts& facts) {
    const Analysis& a = *facts.analysis;
    return {{"seconds", number_json(a.report.seconds)},
            {"loaded_seconds",
             facts.analysis_loaded_seconds ? number_json(*facts.analysis_loaded_seconds) : Json(nullptr)},
            {"matching_seconds", number_json(a.report.matching_seconds)},
            {"ordering_seconds", number_json(a.report.ordering_seconds)},
            {"symbolic_seconds", number_json(a.report.symbolic_seconds)},
            {"ordering", to_string(a.report.ordering)},
            {"candidates", candidates_json(a.report.candidates)},
            {"machine", machine_json(a.report.machine)},
            {"grid_warning", grid_warning(facts)},
            {"distributed", a.report.distributed},
            {"matched", a.report.matched},
            {"structural_rank", a.report.structural_rank},
            {"pairs", a.report.pairs},
            {"fronts", a.tree.front_count()},
            {"largest_front", a.cost.largest_front},
            {"subtrees", a.mapping.subtrees.size()},
            {"tasks", facts.factor ? Json(facts.factor->work.tasks) : Json(nullptr)},
            {"flops", number_json(facts.analysis_flops())},
            {"factor_entries", a.cost.factor_entries},
            {"peak_bytes_predicted", facts.predicted_peak_bytes},
            {"solve_bytes_predicted", facts.predicted_solve_bytes}};
}

constexpr std::size_t most_listed = 1000;

// Rows or columns as files count them, from 1.
Json listed(const std::vector<index_t>& indices) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(indices.size(), most_listed); ++i) list.push_back(indices[i] + 1);
    return list;
}

void add_small_pivots(const FactorReport& f, Json& object) {
    object["small_pivot_count"] = f.pivots.small_columns.size();
    object["null_row_count"] = f.pivots.null_rows.size();
    object["small_pivots"] = listed(f.pivots.small_columns);
    object["null_rows"] = listed(f.pivots.null_rows);
    object["small_pivots_complete"] = std::max(f.pivots.small_columns.size(), f.pivots.null_rows.size()) <= most_listed;
}

Json factorization_json(const FactorReport& f) {
    Json object = {{"seconds", number_json(f.seconds)},
                   {"scaling_seconds", number_json(f.work.scaling_seconds)},
                   {"scaling_kept", f.work.scaling_kept},
                   {"presolve_seconds", number_json(f.work.presolve_seconds)},
                   {"kind", to_string(f.factorization)},
                   {"pivoting", to_string(f.pivoting)},
                   {"fell_back_to_ldlt", f.fell_back_to_ldlt},
                   {"escalated", f.escalated},
                   {"status", to_string(f.status)},
                   {"null_pivot", number_json(f.pivots.null_below)},
                   {"repeated_for_rank", f.work.repeated_for_rank},
                   {"smallest_pivot", number_json(f.pivots.smallest)},
                   {"largest_pivot", number_json(f.pivots.largest)},
                   {"flops", number_json(f.work.flops)},
                   {"gflops_per_second", number_json(f.gflops_per_second())},
                   {"on_device", f.place.on_device},
                   {"devices_used", f.place.devices_used},
                   {"place_reason", f.place.reason},
                   {"bytes_to_devices", f.place.bytes_to_devices},
                   {"bytes_from_devices", f.place.bytes_from_devices},
                   {"tasks", f.work.tasks},
                   {"subtree_tasks", f.work.subtree_tasks},
                   {"pieces_again", f.work.pieces_again},
                   {"factor_entries", f.memory.factor_entries},
                   {"factor_bytes", f.memory.factor_bytes},
                   {"peak_bytes", f.memory.peak_bytes},
                   {"peak_bytes_predicted", f.memory.peak_bytes_predicted},
                   {"perturbed", f.pivots.perturbed},
                   {"delayed", f.pivots.delayed},
                   {"second_pass", f.pivots.second_pass},
                   {"two_by_two", f.pivots.two_by_two},
                   {"largest_l", f.pivots.largest_l > 0 ? number_json(f.pivots.largest_l) : Json(nullptr)}};
    add_small_pivots(f, object);
    object["negative"] = f.pivots.inertia ? Json(f.pivots.inertia->negative) : Json(nullptr);
    object["zero"] = f.pivots.inertia ? Json(f.pivots.inertia->zero) : Json(nullptr);
    object["positive"] = f.pivots.inertia ? Json(f.pivots.inertia->positive) : Json(nullptr);
    object["failed_column"] = f.pivots.failed_column >= 0 ? Json(f.pivots.failed_column + 1) : Json(nullptr);
    return object;
}

Json solve_json(const RunFacts& facts) {
    const SolveReport& s = *facts.solve;
    return {{"seconds", number_json(s.seconds)},
            {"substitution_seconds", number_json(s.substitution_seconds)},
            {"rhs", s.rhs},
            {"status", to_string(s.status)},
            {"refinement_steps", s.refinement_steps},
            {"krylov_iterations", s.krylov_iterations},
            {"backward_error", number_json(s.backward_error)},
            {"componentwise_backward_error", number_json(s.componentwise_backward_error)},
            {"accepted_backward_error", number_json(facts.accepted_backward_error)},
            {"forward_error", facts.forward_error ? number_json(*facts.forward_error) : Json(nullptr)},
            {"forward_error_bound", s.forward_error ? number_json(*s.forward_error) : Json(nullptr)},
            {"condition_hint", s.condition_hint ? number_json(*s.condition_hint) : Json(nullptr)},
            {"ill_conditioned", s.ill_conditioned},
            {"escalated", s.escalated},
            {"on_device", s.on_device},
            {"place_reason", s.place_reason},
            {"memory_bytes", s.memory_bytes},
            {"columns_at_once", s.columns_at_once},
            {"short_of_memory", s.short_of_memory}};
}

Json condition_json(const ConditionEstimate& c) {
    return {{"norm_1", number_json(c.norm_1)},
            {"inverse_norm_1", number_json(c.inverse_norm_1)},
            {"reciprocal_condition", number_json(c.reciprocal_condition)},
            {"skeel_condition", number_json(c.skeel_condition)},
            {"ill_conditioned", c.ill_conditioned}};
}

Json null_space_json(const NullSpaceFacts& n) {
    return {{"dimension", n.dimension}, {"residual", number_json(n.residual)}};
}

}  // namespace

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json session_json(const SessionInfo& session) {
    if (session.starpu_version.empty()) return {{"version", version_number()}, {"commit", commit()}};
    return {{"version", version_number()},
            {"commit", commit()},
            {"blas", session.blas},
            {"blas_kernel", session.blas_kernel},
            {"starpu", session.starpu_version},
            {"workers",
             {{"cpu", session.cpu_workers},
              {"cuda", session.cuda_workers},
              {"hip", session.hip_workers},
              {"mpi_ranks", session.mpi_ranks}}},
            {"worker_binding", session.worker_binding},
            {"scheduler", session.scheduler},
            {"tuning_file", session.tuning_file},
            {"tuning", session.tuning},
            {"tuning_advice", session.tuning_advice},
            {"gpu_advice", session.gpu_advice},
            {"mpi_library", session.mpi_library},
            {"mpi_advice", session.mpi_advice}};
}

Json run_json(const RunFacts& facts) {
    Json object = {{"frond", session_json(facts.session)},
                   {"matrix", matrix_json(facts.matrix)},
                   {"analysis", facts.analysis ? analysis_json(facts) : Json(nullptr)}};
    if (facts.ranks) {
        object["ranks"] = ranks_json(*facts.ranks);
        object["ranks_left_to_rank_0"] = facts.ranks->left_to_rank_0;
    }
    if (!facts.work_of_ranks.empty()) object["ranks"] = ranks_json(facts.work_of_ranks);
    if (!facts.blas_choice.empty()) object["frond"]["blas_kernel_choice"] = facts.blas_choice;
    object["factorization"] = facts.factor ? factorization_json(*facts.factor) : Json(nullptr);
    object["solve"] = facts.solve ? solve_json(facts) : Json(nullptr);
    object["condition"] = facts.condition ? condition_json(*facts.condition) : Json(nullptr);
    object["null_space"] = facts.null_space ? null_space_json(*facts.null_space) : Json(nullptr);
    object["total_seconds"] = number_json(facts.total_seconds);
    object["error"] = nullptr;
    object["exit_code"] = exit_code_of(facts);
    return object;
}

void write_json(const std::string& file, const Json& object) {
    const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

}  // namespace frond::cli
