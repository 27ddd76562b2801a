// SPDX-License-Identifier: BSD-3-Clause
#include "trace/recording.hpp"

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace frond::cli {
namespace {

void expect_started(int error, const std::string& program) {
    if (error != 0)
        throw RuntimeError(program + ": cannot be started: " + std::strerror(error) + "; check its permissions");
}

/// Where standard output and standard error of a program go.
class OutputActions {
public:
    OutputActions(const std::string& program, const std::string& file) {
        expect_started(posix_spawn_file_actions_init(&actions_), program);
        constexpr int mode = 0644;
        int error = posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, file.c_str(),
                                                     O_WRONLY | O_CREAT | O_TRUNC, mode);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
        if (error == 0) return;
        posix_spawn_file_actions_destroy(&actions_);
        expect_started(error, program);
    }
    OutputActions(const OutputActions&) = delete;
    OutputActions& operator=(const OutputActions&) = delete;
    ~OutputActions() { posix_spawn_file_actions_destroy(&actions_); }

    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

}  // namespace

std::string run_tool(std::vector<std::string> arguments, const std::string& output_file) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const OutputActions actions(arguments.front(), output_file);
    pid_t child = -1;
    expect_started(posix_spawn(&child, argv.front(), actions.get(), nullptr, argv.data(), environ), arguments.front());
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw RuntimeError(std::string("waitpid: ") + std::strerror(errno) + "; try again");
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace frond::cli
