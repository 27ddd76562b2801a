// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "dense/dense_problem.hpp"
#include "help_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace frond::cli {
namespace {

constexpr const char* matrix_text =
    "Matrix Market or Rutherford-Boeing file, plain, gzip, xz or zstd; - is standard input; or "
    "generate:KIND:SIZE (frond generate --help lists the kinds). Under mpirun rank 0 reads it; %r in its name stands "
    "for "
    "the number of the rank, and the matrix is then the sum of all ranks' files";
constexpr const char* exit_codes =
    "Exit codes: 0 solved, 1 solved to a worse backward error than asked, 2 bad input, 3 not enough\n"
    "memory or disk, or no StarPU, 4 singular (null pivots), 5 ill-conditioned (by --condition),\n"
    "6 not positive definite (llt).";

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& text, const std::string& value,
                      const std::string& help) {
    return app.add_option(name, text, help)->type_name(value);
}

// A whole number >= 1, with a message of our own.
CLI::Option* add_count(CLI::App& app, const std::string& name, index_t& count, const std::string& help) {
    const auto set = [name, &count](const std::string& text) {
        constexpr index_t largest = 1 << 20;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (failure != std::errc() || end != text.data() + text.size() || count < 1 || count > largest)
            throw InvalidArgument(fmt::format("{}: '{}' is not a whole number in 1 .. {}", name, text, largest));
    };
    return app.add_option_function<std::string>(name, set, help)->type_name("N");
}

void add_option_flag(CLI::App& app, OptionTexts& texts, const OptionInfo& info) {
    const std::string phase = info.phase == OptionPhase::factor ? "factorization" : to_string(info.phase);
    add_text(app, flag_name(info.name), texts[info.name], value_name(info), help_text(info))
        ->group("Options of the " + phase);
}

void add_no_tuning(CLI::App& app, OptionTexts& texts) {
    const auto set = [&texts] { texts["tuning"] = "off"; };
    app.add_flag_callback("--no-tuning", set, "As --tuning off: the defaults")->group("Options of the session");
}

// One flag for each row of the option table, grouped by phase; the text is checked later.
void add_option_flags(CLI::App& app, OptionTexts& texts, OptionPhase last = OptionPhase::solve) {
    for (const OptionInfo& info : option_table()) {
        if (info.phase > last) continue;
        add_option_flag(app, texts, info);
    }
    add_no_tuning(app, texts);
}

void add_precision(CLI::App& app, Precision& precision) {
    const auto set = [&precision](const std::string& text) {
        if (text != "double" && text != "single")
            throw InvalidArgument("--precision: '" + text + "' is neither double nor single");
        precision = text == "single" ? Precision::single : Precision::double_precision;
    };
    app.add_option_function<std::string>("--precision", set, "Arithmetic: double or single [double]")
        ->type_name("NAME");
}

void add_mpi(CLI::App& app, std::string& mpi) {
    const auto set = [&mpi](const std::string& text) {
        if (text != "auto" && text != "on" && text != "off")
            throw InvalidArgument("--mpi: '" + text + "' is none of auto, on and off");
        mpi = text;
    };
    app.add_option_function<std::string>(
           "--mpi", set,
           "Whether this process is one of several that work together: auto (where mpirun or "
           "srun started it), on, off [auto]")
        ->type_name("NAME");
}

// What every command has that works on matrices.
void add_run_flags(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    add_text(app, "--json", line.json_file, "FILE",
             "Write a report as JSON; - is standard output, the table then goes to standard error");
    add_precision(app, line.precision);
    add_mpi(app, line.mpi);
    add_text(app, "--user-order", line.user_order_file, "FILE",
             "The order of elimination, for --ordering user: the columns 1 .. n, first eliminated "
             "first, as plain text or as a Matrix Market array");
    add_option_flags(app, texts);
    app.footer(exit_codes);
}

void add_rhs_flags(CLI::App& app, CommandLine& line) {
    CLI::Option* rhs = add_text(app, "--rhs", line.rhs_file, "FILE",
                                "Right-hand sides, a Matrix Market file, real or complex; - is standard "
                                "input; without it B = A X of random X, the same on every run");
    add_count(app, "--random-rhs", line.random_rhs, "How many random right-hand sides [1]")->excludes(rhs);
}

// What a whole run takes: `frond solve`, `frond trace`.
void add_solve_flags(CLI::App* solve, CommandLine& line, OptionTexts& texts) {
    add_text(*solve, "matrix", line.matrix, "", matrix_text)->required();
    add_rhs_flags(*solve, line);
    add_text(*solve, "--out", line.solution_file, "FILE",
             "Write X as a Matrix Market array; .gz: compressed; - is standard output, the table "
             "then goes to standard error");
    solve->add_flag("--condition", line.condition,
                    "Estimate the condition of A, in the 1-norm and Skeel's, which judges: some solves more");
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

void add_solve(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* solve = app.add_subcommand("solve", "Solve A X = B and report the backward error");
    add_solve_flags(solve, line, texts);
    solve->final_callback([&line] { line.command = Command::solve; });
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
    add_rhs_flags(*solve, line);
    add_text(*solve, "--out", line.solution_file, "FILE",
             "Write X as a Matrix Market array; .gz: compressed; - is standard output, the table "
             "then goes to standard error");
    solve->add_flag("--condition", line.condition,
                    "Estimate the condition of A, in the 1-norm and Skeel's, which judges: some solves more");
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

void add_simulate(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* simulate =
        app.add_subcommand("simulate", "Predict the time of a factorization on another machine, without its numbers");
    add_text(*simulate, "matrix", line.matrix, "", matrix_text)->required();
    add_text(*simulate, "--machine", line.machine, "FILE",
             "The machine: a file, the name of a shipped one, or this [this]")
        ->default_str("")
        ->default_val("this");
    add_count(*simulate, "--ranks", line.ranks,
              "Simulate N processes, each on a node of the machine of its own, that factor together");
    add_text(*simulate, "--model", line.model_folder, "DIR",
             "Models of the times of tasks, by frond calibrate -o DIR; without: those shipped with the machine");
    add_text(*simulate, "-o,--out-folder", line.trace_folder, "DIR",
             "Write a page that shows what each worker would do, as frond trace does, and the files beside it");
    add_text(*simulate, "--pivots", line.pivots_file, "FILE",
             "Let those pivots fail that frond solve --record-pivots FILE recorded; without: none fails");
    add_run_flags(*simulate, line, texts);
    simulate->footer("Exit codes: 0 simulated, 2 bad input, 3 not enough memory, or no program of the simulation.");
    simulate->final_callback([&line] { line.command = Command::simulate; });
}

void add_study(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* study =
        app.add_subcommand("study", "Simulate matrices with all combinations of machines, schedulers and tile sizes");
    study->add_option("matrix", line.matrices, matrix_text)->type_name("");
    add_text(*study, "--model", line.model_folder, "DIR",
             "Models of the times of tasks, by frond calibrate -o DIR; without: those shipped with the machine");
    add_text(*study, "--machines", line.study.machines, "LIST", "Machines with commas, see frond simulate [this]");
    add_text(*study, "--schedulers", line.study.schedulers, "LIST", "StarPU's schedulers [lws,prio,dmdas]");
    add_text(*study, "--tile-sizes", line.study.tile_sizes, "LIST", "Orders of tiles; 0 is automatic [0]");
    add_text(*study, "--json", line.json_file, "FILE", "Write the table as JSON; - is standard output");
    add_text(*study, "--csv", line.study.csv_file, "FILE", "Write the table as comma-separated values");
    add_text(*study, "--plot", line.study.plot_file, "FILE",
             "Draw times and bounds as SVG, or as a page where the name ends in .html");
    study->add_flag("--run", line.study.runs,
                    "Also factor for real where the machine is this one, in turns, of which the median counts");
    add_count(*study, "--repeat", line.repeat, "How often each factorization is run [3]");
    add_text(*study, "--replay", line.study.replay_file, "FILE",
             "In place of matrices: the tasks of a tasks.rec of frond trace, by StarPU's starpu_replay");
    for (const OptionInfo& info : option_table())
        if (info.name == "factorization" || info.name == "workers" || info.name == "cpu_workers")
            add_option_flag(*study, texts, info);
    study->footer("Exit codes: 0 simulated, 2 bad input, 3 not enough memory, or no program of the simulation.");
    study->final_callback([&line] { line.command = Command::study; });
}

void add_calibrate(CLI::App& app, CommandLine& line) {
    CLI::App* calibrate =
        app.add_subcommand("calibrate", "Measure the times of tasks on this machine, for frond simulate");
    add_text(*calibrate, "-o,--out", line.model_folder, "DIR", "Folder for models.json and machine.json")->required();
    calibrate->footer("Exit codes: 0 written, 2 bad input, 3 not enough memory or disk, or no StarPU.");
    calibrate->final_callback([&line] { line.command = Command::calibrate; });
}

CLI::Option* add_seconds(CLI::App& app, const std::string& name, double& seconds, const std::string& help) {
    const auto set = [name, &seconds](const std::string& text) {
        constexpr double largest = 3600;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (failure != std::errc() || end != text.data() + text.size() || !(seconds >= 1 && seconds <= largest))
            throw InvalidArgument(fmt::format("{}: '{}' is not a number of seconds in 1 .. {}", name, text, largest));
    };
    return app.add_option_function<std::string>(name, set, help)->type_name("SECONDS");
}

void add_tune(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* tune =
        app.add_subcommand("tune",
                           "Measure this machine and keep what is quicker than the defaults, for all later sessions");
    tune->add_option("matrix", line.matrices,
                     "Compare the tuning that is kept with the defaults on these matrices, and change nothing")
        ->type_name("");
    add_seconds(*tune, "--time-limit", line.tune.time_limit_seconds, "How long it may take [240]");
    add_text(*tune, "-o,--out", line.tune.file, "FILE",
             "Keep it in this file, for --tuning FILE, and not in the user's folder");
    tune->add_flag("--job", line.tune.job_only, "Measure nothing; print the environment of a cluster's job alone");
    add_count(*tune, "--nodes", line.tune.nodes, "Nodes of that job [1]");
    add_count(*tune, "--ranks-per-node", line.tune.ranks_per_node, "Its processes on a node [1]");
    add_count(*tune, "--repeat", line.repeat, "How often each matrix is run [3]");
    add_text(*tune, "--json", line.json_file, "FILE", "Write a report as JSON; - is standard output");
    for (const OptionInfo& info : option_table())
        if (info.name == "gpus" || info.name == "gpu_memory_bytes") add_option_flag(*tune, texts, info);
    tune->footer("Exit codes: 0 measured, 2 bad input, 3 not enough memory or disk, or no StarPU.");
    tune->final_callback([&line] { line.command = Command::tune; });
}

void add_info(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    CLI::App* info = app.add_subcommand("info", "Machine, StarPU, BLAS kernels and GPUs");
    add_text(*info, "--json", line.json_file, "FILE",
             "Write the facts as JSON; - is standard output, the table then goes to standard error");
    add_option_flags(*info, texts, OptionPhase::session);
    info->footer("Exit codes: 0, 2 bad input or GPUs that are not there, 3 no StarPU.");
    add_mpi(*info, line.mpi);
    info->final_callback([&line] { line.command = Command::info; });
}

std::string list_of_kinds() {
    std::string list = "KIND, and what SIZE = N means:";
    for (const GeneratorInfo& kind : generators())
        list += fmt::format("\n  {:<14}{} (N in {} .. {})", kind.name, kind.description, kind.smallest, kind.largest);
    return list + "\nExit codes: 0 written, 2 bad input, 3 not enough memory or disk.";
}

void add_generate(CLI::App& app, CommandLine& line) {
    CLI::App* generate = app.add_subcommand("generate", "Write the matrix of a model problem as a Matrix Market file");
    add_text(*generate, "kind", line.kind, "", "Which problem, see below")->required();
    add_text(*generate, "size", line.size, "", "N, the nodes along an edge of its grid")->required();
    add_text(*generate, "-o,--out", line.output_file, "FILE", "Where to; .gz: compressed; - is standard output [-]");
    generate->footer(list_of_kinds());
    generate->final_callback([&line] { line.command = Command::generate; });
}

void add_manual(CLI::App& app, CommandLine& line) {
    CLI::App* manual = app.add_subcommand("manual", "Print docs/options.md or docs/errors.md");
    manual->group("");  // for the documentation, not for users
    manual->add_option("page", line.manual)->required()->check(CLI::IsMember({"options", "errors"}));
    manual->final_callback([&line] { line.command = Command::manual; });
}

}  // namespace

void add_commands(CLI::App& app, CommandLine& line, OptionTexts& texts) {
    app.formatter(std::make_shared<HelpFormat>());
    app.footer("frond COMMAND --help lists the arguments and flags of a command.");
    add_solve(app, line, texts);
    add_solve_dense(app, line, texts);
    add_analyze(app, line, texts);
    add_trace(app, line, texts);
    add_bench(app, line, texts);
    add_simulate(app, line, texts);
    add_study(app, line, texts);
    add_calibrate(app, line);
    add_tune(app, line, texts);
    add_info(app, line, texts);
    add_generate(app, line);
    add_manual(app, line);
}

}  // namespace frond::cli
