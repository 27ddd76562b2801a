// SPDX-License-Identifier: BSD-3-Clause
#include "trace/write_trace.hpp"

#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"
#include "terminal/status_line.hpp"
#include "terminal/units.hpp"
#include "trace/page/page_text.hpp"
#include "trace/read/paje.hpp"
#include "trace/read/read_trace.hpp"
#include "trace/task_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

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

}  // namespace frond::cli
