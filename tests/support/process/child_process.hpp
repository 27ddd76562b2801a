// SPDX-License-Identifier: BSD-3-Clause
// One skipped test case of the running program in a process of its own, with other environment
// variables: what StarPU reads before it starts, or what may end the process.
#pragma once

#include "child_variable.hpp"
#include "watchdog.hpp"

#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace frond::test {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs `--test-case=NAME --no-skip`; returns the exit status, or -1 after a signal (a watchdog's too).
inline int run_case_in_child(const std::string& name, const Environment& environment, unsigned limit_seconds) {
    const std::string filter = "--test-case=" + name;
    const pid_t child = fork();
    if (child == 0) {
        for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
        setenv(child_variable, "1", 1);
        alarm(limit_seconds * sanitizer_slowdown);  // kept across exec
        execl("/proc/self/exe", "child", filter.c_str(), "--no-skip", "--no-intro", nullptr);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace frond::test
