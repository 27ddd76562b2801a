// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"
#include "dense/dense_problem.hpp"
#include "frond/base/error.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace frond::cli {
namespace {

/// What sparse and dense systems take alike.
void add_system_flags(CLI::App* solve, CommandLine& line) {
    add_rhs_flags(*solve, line);
    add_text(*solve, "--out", line.solution_file, "FILE",
             "Write X as a Matrix Market array; .gz: compressed; - is standard output, the table "
             "then goes to standard error");
    solve->add_flag("--condition", line.condition,
                    "Estimate the condition of A, in the 1-norm and Skeel's, which judges: some solves more");
}

/// What a whole run takes: `frond solve`, `frond trace`.
void add_solve_flags(CLI::App* solve, CommandLine& line, OptionTexts& texts) {
    add_text(*solve, "matrix", line.matrix, "", matrix_text)->required();
    add_system_flags(solve, line);
    add_text(*solve, "--null-space", line.null_space_file, "FILE",
             "Write an orthonormal basis of the null space of a singular A (of A^T or A^H when that "
             "is the operation) as a Matrix Market array; - is standard output");
    add_text(*solve, "--plot", line.plot_folder, "DIR", "Draw pattern, tree and times as SVG into a folder");
    add_text(*solve, "--analysis", line.analysis_file, "FILE",
             "Take the analysis that frond analyze --save wrote, for the same pattern, with its "
             "options");
    add_text(*solve, "--record-pivots", line.recorded_pivots_file, "FILE",
             "Write which pivots failed, where, and what became of their columns, for frond simulate --pivots FILE");
    add_run_flags(*solve, line, texts);
}

/// What a graph is ordered and matched by has no flag.
void add_dense_option_flags(CLI::App& app, OptionTexts& texts) {
    constexpr std::array<std::string_view, 6> of_analysis{"factorization", "scaling",      "tile_size",
                                                          "workers",       "cut_for_gpus", "deterministic"};
    for (const OptionInfo& info : option_table()) {
        const bool known = std::find(of_analysis.begin(), of_analysis.end(), info.name) != of_analysis.end();
        if (info.phase == OptionPhase::analysis && !known) continue;
        add_option_flag(app, texts, info);
    }
    add_no_tuning(app, texts);
}

}  // namespace

void add_solve(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* solve = app.add_subcommand("solve", "Solve A X = B and report the backward error");
    add_solve_flags(solve, line, texts);
    solve->final_callback([&line] { line.command = Command::solve; });
}

void add_solve_dense(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* solve = app.add_subcommand("solve-dense", "Solve A X = B of a dense matrix A, as frond solve does");
    add_text(*solve, "matrix", line.matrix, "", dense_matrix_text())->required();
    const auto set = [&line](const std::string& text) {
        if (text != "general" && text != "symmetric" && text != "hermitian")
            throw InvalidArgument("--symmetry: '" + text + "' is none of general, symmetric and hermitian");
        line.symmetry = text;
    };
    solve
        ->add_option_function<std::string>("--symmetry", set,
                                           "general, symmetric or hermitian: of A, whose lower triangle alone is then "
                                           "read [what a Matrix Market file says, else general]")
        ->type_name("NAME");
    add_system_flags(solve, line);
    add_text(*solve, "--null-space", line.null_space_file, "FILE",
             "Write an orthonormal basis of the null space of a singular A as a Matrix Market array");
    add_text(*solve, "--json", line.json_file, "FILE",
             "Write a report as JSON; - is standard output, the table then goes to standard error");
    add_precision(*solve, line.precision);
    add_dense_option_flags(*solve, texts);
    solve->footer(exit_codes);
    solve->final_callback([&line] { line.command = Command::solve_dense; });
}

void add_trace(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* trace =
        app.add_subcommand("trace",
                           "Solve A X = B and write a page that shows what each worker did and where its time went");
    add_text(*trace, "-o,--out-folder", line.trace_folder, "DIR",
             "Where trace.html, paje.trace, tasks.rec, dag.dot and tasks.csv go; those that are there are replaced")
        ->required();
    add_solve_flags(trace, line, texts);
    trace->final_callback([&line] { line.command = Command::trace; });
}

void add_analyze(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* analyze = app.add_subcommand("analyze", "Ordering, tree, predicted work and memory");
    add_text(*analyze, "matrix", line.matrix, "", matrix_text)->required();
    add_text(*analyze, "--plot", line.plot_folder, "DIR",
             "Draw pattern and tree as SVG into a folder; with --ranks also who has which front");
    add_text(*analyze, "--save", line.save_file, "FILE",
             "Write the analysis, for frond solve --analysis FILE of matrices of this pattern");
    add_count(
        *analyze, "--ranks", line.ranks,
        "Also predict work, memory and messages of a run on N processes, each on a machine like this one and, where "
        "it is given, within --memory-budget-bytes");
    add_run_flags(*analyze, line, texts);
    analyze->footer("Exit codes: 0 analysed, 2 bad input, 3 not enough memory or disk, or no StarPU.");
    analyze->final_callback([&line] { line.command = Command::analyze; });
}

void add_bench(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* bench =
        app.add_subcommand("bench", "Analyse, factor and solve matrices several times: medians and minima");
    bench->add_option("matrix", line.matrices, matrix_text)->required()->type_name("");
    add_count(*bench, "--repeat", line.repeat, "How often each matrix is run [3]");
    bench
        ->add_flag("--new-values{congruence}", line.new_values,
                   "One analysis, then every factorization with other values of the same pattern; "
                   "cold times in fresh processes. =congruence: D A D, D near 1 (the default); "
                   "=factors: each entry by a factor up to 8; =graded: D A D, D up to 2^12")
        ->type_name("[=NAME]");
    bench->add_option("--cold-run", line.cold_run)->group("");  // of cold_times_in_fresh_process()
    add_rhs_flags(*bench, line);
    add_run_flags(*bench, line, texts);
    bench->final_callback([&line] { line.command = Command::bench; });
}

}  // namespace frond::cli
