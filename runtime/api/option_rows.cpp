// SPDX-License-Identifier: BSD-3-Clause
// The option table. A field added to one of the structures of options gets its row here, or is
// named among the fields that only code can give in tests/unit/options and cli/manual.
#include "option_row.hpp"

namespace frond::detail {
namespace {

#define FROND_FIELD(expression) \
    [](auto& o) -> auto& { return o.expression; }

void add_session_rows(std::vector<OptionRow>& rows) {
    const OptionPhase phase = OptionPhase::session;
    rows.push_back(
        integer_option(phase, "cpu_workers",
                       "CPU workers; 0: `STARPU_NCPU`, else one for each core that the process may use, "
                       "of 16 or more one less, fewer with a quota. With GPUs at most as many as "
                       "leave cores for their workers. Without effect where the application started StarPU itself.",
                       0, FROND_FIELD(session.cpu_workers)));
    rows.push_back(
        switch_option(phase, "inline_tasks",
                      "The calling thread runs all tasks by itself, and StarPU never starts: for one core, and "
                      "for a child of fork(). No GPUs, no communicator.",
                      FROND_FIELD(session.inline_tasks)));
    rows.push_back(integer_option(phase, "gpus",
                                  "GPUs to use; -1: all that StarPU and Frond can drive. More than there are "
                                  "is an error. Without effect where the application started StarPU itself.",
                                  -1, FROND_FIELD(session.gpus)));
    rows.push_back(bytes_option(phase, "gpu_memory_bytes",
                                "Memory that may be used of each GPU; 0: nearly all of it, or "
                                "`STARPU_LIMIT_CUDA_MEM`. What does not fit is evicted to the host. Without "
                                "effect where the application started StarPU itself.",
                                FROND_FIELD(session.gpu_memory_bytes)));
    rows.push_back(text_option(
        phase, "scheduler",
        "StarPU's scheduler; empty: `STARPU_SCHED` if set, else the one that "
        "suits the workers (with GPUs `dmdas`). `lws`, `ws` and `random` cannot serve GPUs, which are then left out.",
        "a name StarPU knows, such as lws, prio, dmdas", FROND_FIELD(session.scheduler)));
    rows.push_back(text_option(
        phase, "tuning",
        "What `frond tune` measured for this kind of machine: `automatic`: the user's file where there is one, but not "
        "on "
        "several processes; `off`, or in the program `--no-tuning`: the defaults; else a file. Options and StarPU's "
        "variables come before it. Without effect where the application started StarPU itself.",
        "automatic, off or the name of a file", FROND_FIELD(session.tuning)));
}

void add_ordering_rows(std::vector<OptionRow>& rows) {
    const OptionPhase phase = OptionPhase::analysis;
    rows.push_back(enum_option(phase, "Factorization", "factorization", "Which factorization of A.",
                               FROND_FIELD(analysis.factorization)));
    rows.push_back(enum_option(phase, "OrderingMethod", "ordering", "In which order columns are eliminated.",
                               FROND_FIELD(analysis.ordering)));
    rows.push_back({{"grid",
                     "The grid nx x ny x nz behind the matrix, for `ordering` = `geometric`; 0x0x0: "
                     "not a grid.",
                     "a grid such as 60x60x60 or 1000x1000",
                     {},
                     phase,
                     {},
                     "std::array<index_t, 3>"},
                    [](Options& o, std::string_view value) {
                        o.analysis.grid = parse_grid("grid", value, "a grid such as 60x60x60");
                    },
                    [](const Options& o) {
                        const auto& g = o.analysis.grid;
                        return std::to_string(g[0]) + "x" + std::to_string(g[1]) + "x" + std::to_string(g[2]);
                    }});
    rows.push_back(
        integer_option(phase, "grid_dofs", "Unknowns at each point of `grid`.", 1, FROND_FIELD(analysis.grid_dofs)));
    rows.push_back(
        enum_option(phase, "DistributedAnalysis", "distributed_analysis",
                    "On several processes: whether each keeps its rows of A and its part of the analysis, so "
                    "that none has the whole. The order is then PT-Scotch's, and nothing is matched.",
                    FROND_FIELD(analysis.distributed_analysis)));
    rows.push_back(enum_option(phase, "MatchingMode", "matching",
                               "Whether large entries are matched to the diagonal first.",
                               FROND_FIELD(analysis.matching)));
    rows.push_back(enum_option(phase, "ScalingMethod", "scaling", "How rows and columns are scaled.",
                               FROND_FIELD(analysis.scaling)));
}

void add_tree_rows(std::vector<OptionRow>& rows) {
    const OptionPhase phase = OptionPhase::analysis;
    rows.push_back(real_option(phase, "amalgamation_zeros",
                               "Fronts merge while the zeros this adds stay below this share; 0: by "
                               "predicted time.",
                               1, FROND_FIELD(analysis.amalgamation_zeros)));
    rows.push_back(integer_option(phase, "tile_size",
                                  "Order of the tiles of large fronts; 0: chosen from the front and "
                                  "the workers.",
                                  0, FROND_FIELD(analysis.tile_size)));
    rows.push_back(integer_option(phase, "workers",
                                  "Workers that the tree is cut for; 0: those of the session, or 8 "
                                  "when `deterministic`.",
                                  0, FROND_FIELD(analysis.workers)));
    rows.push_back(integer_option(phase, "cut_for_gpus",
                                  "GPUs that the tree is cut for; -1: those of the session, none "
                                  "when `deterministic`.",
                                  -1, FROND_FIELD(analysis.cut_for_gpus)));
    rows.push_back(switch_option(phase, "deterministic",
                                 "The same bits in the solution whatever the number of workers.",
                                 FROND_FIELD(analysis.deterministic)));
    rows.push_back(integer_option(
        phase, "threads",
        "Host threads of the analysis itself, and of the conversion of A; 0: one a core that the process may use.", 0,
        FROND_FIELD(analysis.threads)));
}

void add_factor_rows(std::vector<OptionRow>& rows) {
    const OptionPhase phase = OptionPhase::factor;
    rows.push_back(
        enum_option(phase, "Pivoting", "pivoting", "How pivots are searched.", FROND_FIELD(factor.pivoting)));
    rows.push_back(real_option(phase, "pivot_threshold",
                               "u of threshold pivoting: larger is safer, smaller delays fewer columns; 0: 0.01.", 0.5,
                               FROND_FIELD(factor.pivot_threshold)));
    rows.push_back(real_option(phase, "null_pivot_tolerance",
                               "Threshold pivoting: columns of the scaled matrix without an entry above this "
                               "times its largest are null. With 0 it is min(10 n, 10000, 1 / sqrt(eps)) eps of "
                               "the scalar type. If the matrix is then singular, it may be factored again: with a "
                               "smaller value where null columns hold more than rounding errors can have left "
                               "there, with a larger one where a gap between the sizes of the pivots shows the "
                               "rank.",
                               1, FROND_FIELD(factor.null_pivot_tolerance)));
    rows.push_back(real_option(phase, "static_pivot_tolerance",
                               "Pivots of the scaled matrix below this times its norm are raised to "
                               "it; 0: sqrt(eps) of the scalar type.",
                               1, FROND_FIELD(factor.static_pivot_tolerance)));
    rows.push_back(bytes_option(phase, "memory_budget_bytes",
                                "Memory that one factorization may hold; 0: the machine's free "
                                "memory less a tenth.",
                                FROND_FIELD(factor.memory_budget_bytes)));
    rows.push_back(enum_option(phase, "StaleMatching", "on_stale_matching",
                               "What to do when new values suit the matching of the analysis badly.",
                               FROND_FIELD(factor.on_stale_matching)));
    rows.push_back(enum_option(phase, "NullPivots", "null_pivots",
                               "What threshold pivoting does with null pivots of a singular matrix.",
                               FROND_FIELD(factor.null_pivots)));
    rows.push_back(switch_option(phase, "escalate",
                                 "Factor again with threshold pivoting when refinement cannot repair a "
                                 "solution by static pivoting.",
                                 FROND_FIELD(factor.escalate)));
    rows.push_back(enum_option(phase, "FactorPlace", "factor_place", "How a session with devices factors.",
                               FROND_FIELD(factor.place)));
    rows.push_back(switch_option(phase, "presolve",
                                 "Makes what solves on the device need (inverted diagonal blocks, "
                                 "lists) right after the factorization, not at the first solve.",
                                 FROND_FIELD(factor.presolve)));
}

void add_solve_rows(std::vector<OptionRow>& rows) {
    const OptionPhase phase = OptionPhase::solve;
    rows.push_back(
        enum_option(phase, "Operation", "operation", "Which system is solved.", FROND_FIELD(solve.operation)));
    rows.push_back(
        enum_option(phase, "SolvePart", "part", "Which part of the solve is done.", FROND_FIELD(solve.part)));
    rows.push_back(integer_option(phase, "max_refinement_steps", "Steps of iterative refinement at most; 0: none.", 0,
                                  FROND_FIELD(solve.max_refinement_steps)));
    rows.push_back(real_option(phase, "target_backward_error",
                               "Componentwise backward error to reach; 0: refinement goes on to 10 eps or until "
                               "it stalls, and up to 450 eps of the scalar type counts as solved.",
                               1, FROND_FIELD(solve.target_backward_error)));
    rows.push_back(enum_option(phase, "Krylov", "krylov", "Whether a Krylov method may finish the solve.",
                               FROND_FIELD(solve.krylov)));
    rows.push_back(switch_option(phase, "forward_error",
                                 "Bound the distance to the true solution: some solves more for "
                                 "each right-hand side.",
                                 FROND_FIELD(solve.forward_error)));
    rows.push_back(switch_option(phase, "condition_hint",
                                 "Estimate the condition once for each factorization where the "
                                 "factors are small or the pivots suspicious: 3 solves with 2 "
                                 "columns. Pivots of a large system may hide its condition.",
                                 FROND_FIELD(solve.condition_hint)));
    rows.push_back(integer_option(phase, "rhs_block", "Right-hand sides that a task takes at once; 0: 64.", 0,
                                  FROND_FIELD(solve.rhs_block)));
    rows.push_back(enum_option(phase, "SolvePlace", "place", "Where the substitution runs.", FROND_FIELD(solve.place)));
    rows.push_back(bytes_option(phase, "solve_memory_budget_bytes",
                                "Memory that the vectors of one solve may hold in addition to factors, "
                                "B and X; 0: what `memory_budget_bytes` leaves, or the machine's free "
                                "memory less a tenth.",
                                FROND_FIELD(solve.memory_budget_bytes)));
}

#undef FROND_FIELD

std::vector<OptionRow> make_rows() {
    std::vector<OptionRow> rows;
    add_session_rows(rows);
    add_ordering_rows(rows);
    add_tree_rows(rows);
    add_factor_rows(rows);
    add_solve_rows(rows);
    for (OptionRow& row : rows) row.info.default_value = row.get(Options{});
    return rows;
}

}  // namespace

const std::vector<OptionRow>& option_rows() {
    static const std::vector<OptionRow>& rows = *new std::vector<OptionRow>(make_rows());
    return rows;
}

}  // namespace frond::detail
