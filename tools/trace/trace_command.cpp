// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "terminal/terminal.hpp"
#include "trace/write_trace.hpp"

#include <exception>

namespace frond::cli {
namespace {

/// A run that failed or was interrupted leaves what there is of a trace; its own error is the one to report.
void write_after_failure(const std::string& tool, const RunFacts& facts, Recording& recording) {
    try {
        recording.wait_for_all();
        if (facts.session.mpi_rank > 0 || !recording.is_there()) return;
        print_text(stderr, convert_and_write(recording, tool, facts, false));
    } catch (const std::exception&) {
        print_error(current_error());
    }
}

int trace_and_report(const CommandLine& line, RunFacts& facts) {
    const std::string tool = expect_trace_tool();
    Recording recording(line.trace_folder, line.processes);
    int exit_code = 0;
    try {
        exit_code = solve_and_report(line, facts);
    } catch (const Error&) {  // of all ranks
        if (line.processes == nullptr || !line.processes->has_failed()) write_after_failure(tool, facts, recording);
        throw;
    } catch (...) {
        if (line.processes == nullptr) write_after_failure(tool, facts, recording);
        throw;
    }
    recording.wait_for_all();
    if (facts.session.mpi_rank > 0) return exit_code;
    print_text(table_stream(line), convert_and_write(recording, tool, facts, true) + "\n");
    return exit_code;
}

}  // namespace

int trace_command(const CommandLine& line) {
    RunFacts facts;
    facts.matrix.name = line.matrix;
    return with_error_json(
        line, [&] { return trace_and_report(line, facts); }, [&] { return run_json(facts); });
}

}  // namespace frond::cli
