// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "measurement.hpp"

namespace frond::bench {
namespace {

using nlohmann::json;

std::vector<std::string> child_arguments(const RunRequest& r) {
    return {"/proc/self/exe", "--here",          r.solver,
            r.matrix,         to_string(r.mode), std::to_string(r.threads),
            std::to_string(r.factorizations)};
}

/// In the child: never returns.
[[noreturn]] void become_child(const RunRequest& request, int out) {
    dup2(out, 3);
    alarm(static_cast<unsigned>(request.timeout_seconds));
    std::vector<std::string> arguments = child_arguments(request);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    execv("/proc/self/exe", argv.data());
    _exit(127);
}

std::string read_all(int in) {
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t got = read(in, buffer.data(), buffer.size());
        if (got <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

json measure_in_child(const RunRequest& request) {
    const json failed{{"solver", request.solver}, {"matrix", request.matrix}, {"mode", to_string(request.mode)}};
    const auto with_error = [&](const std::string& why) {
        json j = failed;
        j["error"] = why;
        return j;
    };
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return with_error("pipe failed");
    const pid_t child = fork();
    if (child < 0) return with_error("fork failed");
    if (child == 0) {
        close(ends[0]);
        become_child(request, ends[1]);
    }
    close(ends[1]);
    const std::string text = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        return with_error(WTERMSIG(status) == SIGALRM ? "no result within the time limit"
                                                      : "killed by signal " + std::to_string(WTERMSIG(status)));
    json result = json::parse(text, nullptr, false);
    return result.is_discarded() ? with_error("no result") : result;
}

}  // namespace frond::bench
