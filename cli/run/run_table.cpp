// SPDX-License-Identifier: BSD-3-Clause
#include "run_table.hpp"

#include "frond/enum_text.hpp"
#include "rank_plan.hpp"
#include "ranks/shared_problem.hpp"
#include "terminal/table.hpp"
#include "commands.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

std::string workers_text(const SessionInfo& session) {
    std::string text = fmt::format("{} CPU", session.cpu_workers);
    if (session.cuda_workers > 0) text += fmt::format(" + {} CUDA", session.cuda_workers);
    if (session.hip_workers > 0) text += fmt::format(" + {} HIP", session.hip_workers);
    return text;
}

void add_matrix(Table& table, const RunFacts& facts) {
    const MatrixFacts& m = facts.matrix;
    table.section("matrix", m.name);
    table.row("order", text_of_count(m.rows));
    table.row("entries", text_of_count(m.entries),
              m.entries == m.stored_entries ? "" : text_of_count(m.stored_entries) + " stored, one triangle");
    table.row("scalar", m.scalar, to_string(m.symmetry));
    if (m.input.mirrored_upper)
        table.row("triangle", "upper", "in the file, against the format; read as the half of the matrix that it is");
    if (m.input.one_triangle != Triangle::both)
        table.row("triangle", m.input.one_triangle == Triangle::lower ? "lower" : "upper",
                  "alone: solved as triangular; if it is half of a symmetric matrix, declare that");
    if (m.input.duplicates_summed > 0) table.row("duplicates", text_of_count(m.input.duplicates_summed), "summed");
    if (m.underflows > 0)
        table.row("underflow", text_of_count(m.underflows),
                  m.underflows == 1 ? "entry, rounding against its row and column"
                                    : "entries, rounding against their rows and columns");
    table.row("read in", text_of_seconds(m.seconds));
}

std::string candidates_text(const AnalysisReport& report) {
    std::string text;
    for (const OrderingCandidate& candidate : report.candidates)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(candidate.method),
                            text_of_flops(candidate.flops));
    return text;
}

void add_analysis(Table& table, const RunFacts& facts) {
    const Analysis& a = *facts.analysis;
    if (facts.analysis_loaded_seconds)
        table.section("analysis", text_of_seconds(*facts.analysis_loaded_seconds) + ", loaded");
    else
        table.section("analysis", text_of_seconds(a.report.seconds));
    table.row("ordering", to_string(a.report.ordering));
    if (a.report.candidates.size() > 1) table.row("tried", candidates_text(a.report));
    if (a.report.matched)
        table.row("matching", "on", a.report.pairs > 0 ? counted(a.report.pairs, "pair") + " for 2x2 pivots" : "");
    if (a.report.structural_rank < a.order)
        table.row("structural rank", text_of_count(a.report.structural_rank),
                  "below the order: singular whatever the values");
    table.row("fronts", text_of_count(a.tree.front_count()), "largest of order " + text_of_count(a.cost.largest_front));
    const auto subtrees = static_cast<count_t>(a.mapping.subtrees.size());
    table.row("subtrees", text_of_count(subtrees),
              subtrees > 1    ? "each a single task"
              : subtrees == 1 ? "a single task"
                              : "");
    table.row("work", text_of_flops(facts.analysis_flops()), formula(a.factorization, facts.complex_scalar));
    table.row("factors", text_of_count(a.cost.factor_entries),
              text_of_bytes(static_cast<double>(a.cost.factor_entries * facts.scalar_bytes)));
    table.row("memory", text_of_bytes(static_cast<double>(facts.predicted_peak_bytes)), "predicted peak");
    if (!facts.solve)
        table.row("", text_of_bytes(static_cast<double>(facts.predicted_solve_bytes)),
                  "more than the factors for a solve of one right-hand side");
}

void add_solve(Table& table, const RunFacts& facts) {
    const SolveReport& s = *facts.solve;
    table.section("solve", text_of_seconds(s.seconds));
    if (s.on_device) table.row("place", "on the device");
    if (!s.place_reason.empty()) table.row("place", "on the cores", s.place_reason);
    table.row("right-hand sides", text_of_count(s.rhs), facts.right_hand_sides);
    table.row("refinement", counted(s.refinement_steps, "step"));
    if (s.krylov_iterations > 0) table.row("GMRES", counted(s.krylov_iterations, "iteration"));
    if (s.memory_bytes > 0)
        table.row("memory", text_of_bytes(static_cast<double>(s.memory_bytes)),
                  s.columns_at_once < s.rhs ? counted(s.columns_at_once, "right-hand side") + " at a time"
                                            : "in addition to the factors");
    if (s.short_of_memory)
        table.row("", "short", "refinement or GMRES had too little: raise solve_memory_budget_bytes or free memory");
    if (facts.solve_is_part) {
        table.row("backward error", "none", "of a part of a solve");
        return;
    }
    table.row("backward error", text_of_error(s.backward_error), "normwise");
    table.row("", text_of_error(s.componentwise_backward_error), "componentwise");
    constexpr double much = 1000;
    if (s.pure_componentwise_backward_error > much * s.componentwise_backward_error)
        table.row("", text_of_error(s.pure_componentwise_backward_error),
                  "componentwise, rows of tiny unknowns by their own size");
    if (facts.forward_error) table.row("forward error", text_of_error(*facts.forward_error), "to the known solution");
    if (s.forward_error)
        table.row(facts.forward_error ? "" : "forward error", text_of_error(*s.forward_error), "bound");
}

void add_condition(Table& table, const RunFacts& facts) {
    if (facts.condition)
        table.row("condition", text_of_error(1 / facts.condition->reciprocal_condition), "estimate, 1-norm");
    if (facts.condition)
        table.row("", text_of_error(facts.condition->skeel_condition), "Skeel's, of the scaled matrix");
    else if (facts.solve && facts.solve->condition_hint)
        table.row("condition", text_of_error(*facts.solve->condition_hint), "a hint: Skeel's, roughly");
    if (facts.null_space)
        table.row("null space", counted(facts.null_space->dimension, "vector"),
                  facts.null_space->dimension > 0 ? "residual " + text_of_error(facts.null_space->residual) : "");
}

}  // namespace

std::string grid_warning(const RunFacts& facts) {
    const Analysis& a = *facts.analysis;
    if (a.options.ordering != OrderingMethod::geometric || a.report.candidates.size() < 2) return "";
    const OrderingCandidate &grid = a.report.candidates[0], &other = a.report.candidates[1];
    if (grid.flops <= other.flops) return "";
    const double scale = facts.complex_scalar ? 4 : 1;  // of real operations
    return fmt::format(
        "the grid {}x{}x{} does not fit the matrix, some entries connect nodes that are no "
        "neighbours there: {} by it, {} by {}; correct --grid, or take --ordering automatic",
        a.options.grid[0], a.options.grid[1], a.options.grid[2], text_of_flops(grid.flops * scale),
        text_of_flops(other.flops * scale), to_string(other.method));
}

Table run_table(const RunFacts& facts) {
    Table table;
    const SessionInfo& session = facts.session;
    table.section("frond", version_number());
    table.row("workers", workers_text(session),
              fmt::format("StarPU {}, {} scheduler", session.starpu_version, session.scheduler));
    if (!session.gpu_advice.empty()) table.row("GPUs", "not used", session.gpu_advice);
    table.row("BLAS", session.blas, session.blas_kernel + " kernels");
    if (!session.blas_advice.empty()) table.row("advice", session.blas_advice);
    add_matrix(table, facts);
    add_analysis(table, facts);
    if (facts.ranks) add_ranks(table, *facts.ranks);
    add_work_of_ranks(table, facts.work_of_ranks, facts.analysis && facts.analysis->report.distributed);
    if (facts.factor) add_factorization(table, facts);
    if (facts.solve) add_solve(table, facts);
    add_condition(table, facts);
    return table;
}

}  // namespace frond::cli
