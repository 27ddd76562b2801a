// SPDX-License-Identifier: BSD-3-Clause
#include "trace/write_trace.hpp"

#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "terminal/table.hpp"
#include "terminal/terminal.hpp"
#include "trace/analyze/trace_facts.hpp"
#include "trace/page/page_text.hpp"
#include "trace/read/paje.hpp"
#include "trace/read/read_trace.hpp"
#include "trace/read/recorded_jobs.hpp"
#include "trace/read/task_name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>

namespace frond::cli {
namespace {

constexpr const char* csv_header =
    "job,kind,name,worker,worker_kind,phase,submitted,ready,begin,end,seconds,flops,bytes,priority,footprint,"
    "first_front,last_front,tile_row,tile_column,step,level,iteration,piece,rhs,chunk,critical\n";

/// "name", with quotation marks doubled.
std::string csv_quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

const char* phase_of(const TraceTask& task, const TraceFacts& facts) {
    for (const PhaseFacts& of_phase : facts.phases)
        if (task.begin >= of_phase.phase.begin && task.begin < of_phase.phase.end) return of_phase.phase.name.c_str();
    return "";
}

void append_place(fmt::memory_buffer& line, const TaskPlace& place) {
    for (const int number : {place.first_front, place.last_front, place.tile_row, place.tile_column, place.step,
                             place.level, place.iteration, place.piece, place.rhs, place.chunk}) {
        line.push_back(',');
        if (number >= 0) fmt::format_to(std::back_inserter(line), "{}", number);
    }
}

/// The tasks of the trace, one a line, by begin (docs/traces.md, "tasks.csv"). Fields that a task does not have are
/// empty.
/// @throws RuntimeError  no room, with the file
void write_task_csv(const std::string& file, const Trace& trace, const TraceFacts& facts) {
    std::vector<bool> critical(trace.tasks.size(), false);
    for (const PhaseFacts& phase : facts.phases)
        for (const int t : phase.critical_path) critical[static_cast<std::size_t>(t)] = true;
    OutputFile output(file);
    constexpr std::size_t at_once = 1 << 20;
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{}", csv_header);
    for (std::size_t t = 0; t < trace.tasks.size(); ++t) {
        const TraceTask& task = trace.tasks[t];
        const TraceWorker& worker = trace.workers[static_cast<std::size_t>(task.worker)];
        fmt::format_to(std::back_inserter(line),
                       "{},{},{},{},{},{},{:.9f},{:.9f},{:.9f},{:.9f},{:.9f},{:.0f},{:.0f},{},{:08x}", task.job,
                       trace.kinds[static_cast<std::size_t>(task.kind)].name, csv_quoted(task.name), worker.name,
                       worker.kind, phase_of(task, facts), task.submitted, facts.readiness.ready[t], task.begin,
                       task.end, task.seconds(), task.flops, task.bytes, task.priority, task.footprint);
        append_place(line, place_in_name(task.name));
        fmt::format_to(std::back_inserter(line), ",{}\n", critical[t] ? 1 : 0);
        if (line.size() < at_once) continue;
        output.write(line.data(), line.size());
        line.clear();
    }
    output.write(line.data(), line.size());
    output.finish();
}

std::string line_of(const std::string& name, const std::string& value, const std::string& more) {
    return fmt::format("    {:<18} {:<20} {}\n", name, value, more);
}

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

/// FxT says nothing when its file cannot take all events.
void expect_whole(const std::string& folder, const Trace& trace, count_t factor_tasks) {
    count_t found = 0;
    bool whole = false;  // the factorization is there, and every phase has an end
    for (const TracePhase& phase : trace.phases) {
        if (phase.name.ends_with(not_ended)) found = -1;
        if (phase.name != "factorization" || found < 0) continue;
        whole = true;
        for (const TraceTask& task : trace.tasks) found += task.begin >= phase.begin && task.begin < phase.end;
    }
    // If there are none, the calling thread did them.
    if (whole && (found == 0 || found >= factor_tasks)) return;
    throw RuntimeError(folder + ": the recording is not whole: " + std::to_string(std::max<count_t>(found, 0)) +
                       " of " + std::to_string(factor_tasks) +
                       " tasks of the factorization have come; make room on the disk");
}

std::string summary_of(const std::string& folder, const Trace& trace, const TraceFacts& facts) {
    const PhaseFacts& phase = main_phase(facts);
    const double seconds = phase.phase.end - phase.phase.begin;
    const auto share_of_time = [&](double bound) {
        return seconds > 0 ? percent(bound / seconds) + " of the time" : std::string();
    };
    std::string text = fmt::format("  trace                {}\n", folder + "/trace.html");
    text += line_of("tasks", text_of_count(static_cast<count_t>(trace.tasks.size())),
                    trace.unfinished > 0 ? text_of_count(trace.unfinished) + " unfinished" : "");
    text += line_of(phase.phase.name, text_of_seconds(seconds), counted(phase.tasks, "task"));
    text += line_of("area bound", text_of_seconds(phase.bounds.area), share_of_time(phase.bounds.area));
    text += line_of("critical path", text_of_seconds(phase.bounds.critical_path),
                    share_of_time(phase.bounds.critical_path));
    text += line_of("both bounds", text_of_seconds(phase.bounds.both), share_of_time(phase.bounds.both));
    const EfficiencySplit& split = phase.split;
    text += line_of("useful", percent(split.useful), "of the workers' time");
    text += line_of("lost to kernels", percent(split.kernels),
                    "overhead " + percent(split.overhead) + ", transfers " + percent(split.transfers));
    text += line_of("lost to idling", percent(split.graph + split.scheduler),
                    "by the graph " + percent(split.graph) + ", by the scheduler " + percent(split.scheduler));
    return text;
}

}  // namespace

std::string write_trace(const std::string& folder, const PageTitle& title, const Analysis* analysis,
                        count_t factor_tasks, std::string to) {
    const StatusLine status("writing the trace");
    if (to.empty()) to = folder;
    const Trace trace = read_trace(folder);
    if (factor_tasks > 0) expect_whole(folder, trace, factor_tasks);
    const TraceFacts facts = facts_of(trace);
    write_task_csv(to + "/tasks.csv", trace, facts);
    OutputFile page(to + "/trace.html");
    const std::string text = page_text(title, trace, facts, analysis);
    page.write(text.data(), text.size());
    page.finish();
    return summary_of(to, trace, facts);
}

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
    if (!facts.machine.empty()) title.facts.emplace_back("simulated on", facts.machine);
    if (!complete) title.facts.emplace_back("run", "ended before its end; tasks after that did nothing");
    return title;
}

}  // namespace

std::string convert_and_write(Recording& recording, const std::string& tool, const RunFacts& facts, bool complete) {
    if (!recording.is_there())
        throw RuntimeError("StarPU has recorded nothing in " + recording.place() +
                           (facts.session.mpi_ranks > 1
                                ? " on some of the ranks; give a folder that all of them see, and "
                                  "make room on its disk"
                                : "; make room on its disk, and trace again"));
    recording.convert(tool);
    const count_t tasks = complete && facts.factor ? facts.factor->work.tasks : 0;
    const std::string text =
        write_trace(recording.place(), title_of(facts, complete), facts.analysis.get(), tasks, recording.folder());
    if (!complete) mark_unfinished(recording.place() + "/tasks.rec");
    recording.publish();
    return text;
}

}  // namespace frond::cli
