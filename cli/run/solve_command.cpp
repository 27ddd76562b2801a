// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "interrupt.hpp"
#include "arguments/output_paths.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "machine/environment.hpp"
#include "ranks/shared_problem.hpp"
#include "run_error.hpp"
#include "run_json.hpp"
#include "run_problem.hpp"
#include "run_table.hpp"
#include "simulate/pivot_file.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <optional>

namespace frond::cli {
namespace {

void expect_outputs(const CommandLine& line) {
    expect_writable_file(line.json_file);
    expect_writable_file(line.solution_file);
    expect_writable_file(line.null_space_file);
    expect_writable_file(line.save_file);
    expect_writable_file(line.recorded_pivots_file);
    make_folder(line.plot_folder);
}

/// With a communicator the session comes first: what one rank cannot read, all must hear of.
void solve(const CommandLine& line, RunFacts& facts) {
    const bool on_ranks = line.options.session.communicator != nullptr;
    std::optional<Session> session;
    if (on_ranks) session.emplace(line.options.session);
    if (!on_ranks) expect_outputs(line);
    if (on_ranks) together(*session, [&] { expect_outputs(line); });
    InterruptReport report(line, run_json(facts));
    const Problem problem =
        on_ranks ? load_on_ranks(*session, line, line.matrix_by_rank) : load_with_status(line.matrix, line.precision);
    facts.matrix = problem.facts;
    report.now_known(run_json(facts));
    if (!on_ranks) session.emplace(line.options.session);
    facts.session = session->info();
    warn_of_tuning(facts.session);
    report.now_known(run_json(facts));
    run_problem(line, *session, problem, facts, [&report] { report.stop(); });
}

void write_recorded_pivots(const CommandLine& line, const RunFacts& facts) {
    const std::string text = text_of_pivots(pivot_file_of(*facts.analysis, facts.matrix.name, take_recorded_runs()));
    OutputFile out(line.recorded_pivots_file);
    out.write(text.data(), text.size());
    out.finish();
}

}  // namespace

int solve_and_report(const CommandLine& line, RunFacts& facts) {
    const bool records = !line.recorded_pivots_file.empty();
    if (records && line.options.session.communicator != nullptr)
        throw InvalidArgument("--record-pivots is for one process; drop it, or run without mpirun");
    record_pivots(records);
    solve(line, facts);
    if (records) write_recorded_pivots(line, facts);
    if (facts.session.mpi_rank > 0) return solved;

    if (const std::string warning = grid_warning(facts); !warning.empty()) print_warning(warning);
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    print_text(stream, fmt::format("\n{}\n  {}\n\n", run_table(facts).text(style), verdict(facts, style)));
    if (!line.json_file.empty()) write_json(line.json_file, run_json(facts));
    return exit_code_of(facts);
}

int solve_command(const CommandLine& line) {
    RunFacts facts;
    facts.matrix.name = line.matrix;
    return with_error_json(
        line, [&] { return solve_and_report(line, facts); }, [&] { return run_json(facts); });
}

}  // namespace frond::cli
