// SPDX-License-Identifier: BSD-3-Clause
#include "run_json.hpp"

#include "frond/base/output_file.hpp"
#include "frond/enum_text.hpp"
#include "rank_plan.hpp"
#include "ranks/shared_problem.hpp"
#include "run_table.hpp"
#include "commands.hpp"

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
            {"one_triangle", m.input.one_triangle == Triangle::both    ? Json(nullptr)
                             : m.input.one_triangle == Triangle::lower ? Json("lower")
                                                                       : Json("upper")},
            {"mirrored_upper", m.input.mirrored_upper},
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
            {"pure_componentwise_backward_error", number_json(s.pure_componentwise_backward_error)},
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
