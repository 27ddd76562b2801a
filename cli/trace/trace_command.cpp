// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"

#include "arguments/output_paths.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/solve_run.hpp"
#include "terminal/print.hpp"
#include "terminal/units.hpp"
#include "trace/recording.hpp"
#include "trace/write_trace.hpp"

#include <fmt/format.h>

#include <exception>

namespace frond::cli {
namespace {

std::string text_of_workers(const SessionInfo& session) {
    std::string text = std::to_string(session.cpu_workers) + " CPU";
    if (session.cuda_workers > 0) text += fmt::format(", {} CUDA", session.cuda_workers);
    if (session.hip_workers > 0) text += fmt::format(", {} HIP", session.hip_workers);
    return text;
}

std::string text_of_ranks(const SessionInfo& session) {
    return session.mpi_ranks == 1 ? "" : fmt::format(" on each of {} ranks", session.mpi_ranks);
}

PageTitle title_of(const RunFacts& facts, bool complete) {
    PageTitle title;
    title.matrix = facts.matrix.name;
    title.facts = {{"order", text_of_count(facts.matrix.rows)},
                   {"scalar", facts.matrix.scalar},
                   {"workers", text_of_workers(facts.session) + text_of_ranks(facts.session)},
                   {"scheduler", facts.session.scheduler},
                   {"StarPU", facts.session.starpu_version},
                   {"BLAS", facts.session.blas + " " + facts.session.blas_kernel}};
    if (!complete) title.facts.emplace_back("run", "ended before its end; tasks after that did nothing");
    return title;
}

/// What an older run left in the folder stays until there is something to put in its place.
std::string convert_and_write(const CommandLine& line, const std::string& tool, const RunFacts& facts,
                              Recording& recording, bool complete) {
    if (!recording.is_there())
        throw RuntimeError("StarPU has recorded nothing in " + recording.place() +
                           (facts.session.mpi_ranks > 1
                                ? " on some of the ranks; give a folder that all of them see, and "
                                  "make room on its disk"
                                : "; make room on its disk, and trace again"));
    recording.convert(tool);
    const count_t tasks = complete && facts.factor ? facts.factor->work.tasks : 0;
    const std::string text =
        write_trace(recording.place(), title_of(facts, complete), facts.analysis.get(), tasks, line.trace_folder);
    recording.publish();
    return text;
}

/// A run that failed or was interrupted leaves what there is of a trace; its own error is the one to report.
void write_after_failure(const CommandLine& line, const std::string& tool, const RunFacts& facts,
                         Recording& recording) {
    try {
        recording.wait_for_all();
        if (facts.session.mpi_rank > 0 || !recording.is_there()) return;
        print_text(stderr, convert_and_write(line, tool, facts, recording, false));
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
        if (line.processes == nullptr || !line.processes->has_failed())
            write_after_failure(line, tool, facts, recording);
        throw;
    } catch (...) {
        if (line.processes == nullptr) write_after_failure(line, tool, facts, recording);
        throw;
    }
    recording.wait_for_all();
    if (facts.session.mpi_rank > 0) return exit_code;
    print_text(table_stream(line), convert_and_write(line, tool, facts, recording, true) + "\n");
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
