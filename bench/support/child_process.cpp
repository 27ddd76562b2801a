// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace frond::bench {
namespace {

using nlohmann::json;

constexpr int answer_descriptor = 3;

/// In the child: never returns.
[[noreturn]] void become_child(std::vector<std::string> arguments, int out, double timeout_seconds,
                               const std::string& preload) {
    if (!preload.empty()) setenv("LD_PRELOAD", preload.c_str(), 1);
    dup2(out, answer_descriptor);
    alarm(static_cast<unsigned>(timeout_seconds));
    std::string program = "/proc/self/exe";
    std::vector<char*> argv{program.data()};
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
}

[[noreturn]] void become_program(std::vector<std::string> command, std::vector<std::string> environment, int out) {
    for (std::string& variable : environment) putenv(variable.data());
    dup2(out, STDOUT_FILENO);
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
}

/// The answer is the last line; what else is printed is a library's.
json answer_in(const std::string& text) {
    const std::size_t end = text.find_last_not_of("\n");
    if (end == std::string::npos) return {{"error", "no result"}};
    const std::size_t line_break = text.find_last_of('\n', end);
    const std::string last = text.substr(line_break + 1, end - line_break);
    json result = json::parse(last, nullptr, false);
    return result.is_object() ? result : json{{"error", "no result; its last line is: " + last}};
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

/// What a child has written, and its status as of waitpid().
struct Ended {
    std::string text;
    int status = 0;
    const char* error = nullptr;  // it could not be started
};

/// become(descriptor), which never returns, in a child.
template <class Become>
Ended run_to_the_end(const Become& become) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {{}, 0, "pipe failed"};
    const pid_t child = fork();
    if (child < 0) return {{}, 0, "fork failed"};
    if (child == 0) {
        close(ends[0]);
        become(ends[1]);
    }
    close(ends[1]);
    Ended ended;
    ended.text = read_all(ends[0]);
    close(ends[0]);
    waitpid(child, &ended.status, 0);
    return ended;
}

}  // namespace

json run_in_child(const std::vector<std::string>& arguments, double timeout_seconds, const std::string& preload) {
    const auto [text, status, error] =
        run_to_the_end([&](int out) { become_child(arguments, out, timeout_seconds, preload); });
    if (error != nullptr) return {{"error", error}};
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return {{"error", "no result within the time limit"}};
    if (WIFSIGNALED(status)) return {{"error", "killed by signal " + std::to_string(WTERMSIG(status))}};
    json result = json::parse(text, nullptr, false);
    return result.is_discarded() ? json{{"error", "no result"}} : result;
}

json run_program(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    const auto [text, status, error] = run_to_the_end([&](int out) { become_program(command, environment, out); });
    if (error != nullptr) return {{"error", error}};
    const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended_well ? answer_in(text) : json{{"error", command[0] + " failed; the messages are above"}};
}

void answer_parent(const json& result) {
    const std::string text = result.dump();
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t now = write(answer_descriptor, text.data() + sent, text.size() - sent);
        if (now <= 0) throw std::runtime_error("the answer could not be sent to the parent process");
        sent += static_cast<std::size_t>(now);
    }
}

}  // namespace frond::bench
