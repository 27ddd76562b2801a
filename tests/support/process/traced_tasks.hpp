// SPDX-License-Identifier: BSD-3-Clause
// What a child process that StarPU traces has submitted and run.
#pragma once

#include "child_process.hpp"
#include "system_folder.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace frond::test {

inline constexpr const char* needs_traces = "a StarPU that records traces";

/// FROND_FXT_TOOL: StarPU's program that converts traces; empty, or not there, where traces cannot be read.
inline bool records_traces() { return std::filesystem::exists(FROND_FXT_TOOL); }

/// A task as tasks.rec has it: its lines "Name: ..." by what is before the colon.
using TracedTask = std::map<std::string, std::string>;

/// A text that the program put into the trace, and when: in milliseconds, as times of tasks.
struct TracedEvent {
    double milliseconds = 0;
    std::string text;
};

class TracedChild {
public:
    /// Runs the case in a child, and converts its trace.
    TracedChild(const std::string& name, unsigned limit_seconds) {
        status_ = run_case_in_child(name,
                                    {{"STARPU_FXT_TRACE", "1"},
                                     {"STARPU_FXT_PREFIX", folder_.path() + "/"},
                                     {"FROND_TEST_SUBMITTED", folder_.path() + "/submitted"}},
                                    limit_seconds);
        for (const auto& file : std::filesystem::directory_iterator(folder_.path()))
            if (file.path().filename().string().starts_with("prof_file")) convert(file.path().string());
    }

    /// The exit status of the child, or of the conversion; 0: both ended well.
    int status() const { return status_ != 0 ? status_ : converted_; }
    /// Ascending.
    std::vector<std::string> submitted() const {
        std::vector<std::string> names = lines("submitted");
        std::sort(names.begin(), names.end());
        return names;
    }
    /// Those of Frond that ran on a worker: StarPU's own have no flops, and no name of ours.
    std::vector<TracedTask> tasks() const {
        std::vector<TracedTask> all;
        TracedTask task;
        for (const std::string& line : lines("tasks.rec")) {
            const std::size_t colon = line.find(": ");
            if (colon != std::string::npos) task[line.substr(0, colon)] = line.substr(colon + 2);
            if (!line.empty()) continue;
            if (task.contains("Name") && task.contains("StartTime")) all.push_back(task);
            task.clear();
        }
        return all;
    }
    /// Texts that the program put into the trace, in their order.
    std::vector<std::string> events() const {
        std::vector<std::string> all;
        for (const TracedEvent& event : timed_events()) all.push_back(event.text);
        return all;
    }
    std::vector<TracedEvent> timed_events() const {
        std::vector<TracedEvent> all;
        for (const std::string& line : lines("paje.trace")) {
            const std::size_t first = line.find('"'), last = line.rfind('"');
            double milliseconds = 0;
            if (line.find("\tprog_event\t") == std::string::npos || first >= last) continue;
            if (std::sscanf(line.c_str(), "%*d %lf", &milliseconds) == 1)
                all.push_back({milliseconds, line.substr(first + 1, last - first - 1)});
        }
        return all;
    }

private:
    void convert(const std::string& file) {
        converted_ =
            std::system(("cd " + folder_.path() + " && " FROND_FXT_TOOL " -i " + file + " >/dev/null 2>&1").c_str());
    }
    std::vector<std::string> lines(const std::string& name) const {
        std::ifstream file(folder_.path() + "/" + name);
        std::vector<std::string> all;
        for (std::string line; std::getline(file, line);) all.push_back(line);
        return all;
    }

    SystemFolder folder_;
    int status_ = -1, converted_ = -1;
};

/// Ascending.
inline std::vector<std::string> names_of(const std::vector<TracedTask>& tasks) {
    std::vector<std::string> names;
    for (const TracedTask& task : tasks) names.push_back(task.at("Name"));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace frond::test
