// SPDX-License-Identifier: BSD-3-Clause
#include "fresh_process.hpp"

#include "frond/base/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace frond::cli {
namespace {

constexpr int answer_descriptor = 3;

[[noreturn]] void fail(const std::string& what, int error) {
    throw RuntimeError("a fresh process of frond for its cold times: " + what + ": " + std::strerror(error));
}

/// Two ends of a pipe, closed when this goes.
class Pipe {
public:
    Pipe() {
        if (pipe(ends_.data()) != 0) fail("pipe", errno);
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    ~Pipe() {
        close(ends_[0]);
        close_writing_end();
    }

    int reading_end() const { return ends_[0]; }

    int writing_end() const { return ends_[1]; }

    void close_writing_end() {
        if (ends_[1] >= 0) close(ends_[1]);
        ends_[1] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

pid_t start(std::vector<std::string> arguments, const Pipe& pipe) {
    arguments.insert(arguments.begin(), "frond");
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) fail("posix_spawn_file_actions_init", error);
    error = posix_spawn_file_actions_adddup2(&actions, pipe.writing_end(), answer_descriptor);
    pid_t child = -1;
    if (error == 0) error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail("posix_spawn", error);
    return child;
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 1024> buffer;
    for (;;) {
        const ssize_t got = read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

void expect_success(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("waitpid", errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string how = WIFEXITED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                                              : "signal " + std::to_string(WTERMSIG(status));
    throw RuntimeError("a fresh process of frond for its cold times ended with " + how +
                       "; what it says of that stands above");
}

}  // namespace

std::string answer_of_fresh_process(const std::vector<std::string>& arguments) {
    Pipe pipe;
    const pid_t child = start(arguments, pipe);
    pipe.close_writing_end();
    const std::string answer = read_all(pipe.reading_end());
    expect_success(child);
    return answer;
}

void answer_waiting_process(const std::string& answer) {
    for (std::size_t sent = 0; sent < answer.size();) {
        const ssize_t now = write(answer_descriptor, answer.data() + sent, answer.size() - sent);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) throw RuntimeError("--cold-run: no other frond waits for its times");
        sent += static_cast<std::size_t>(now);
    }
}

}  // namespace frond::cli
