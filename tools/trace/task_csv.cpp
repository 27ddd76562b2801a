// SPDX-License-Identifier: BSD-3-Clause
#include "trace/task_csv.hpp"

#include "frond/base/output_file.hpp"
#include "trace/read/task_name.hpp"

#include <fmt/format.h>

#include <iterator>

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

}  // namespace

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

}  // namespace frond::cli
