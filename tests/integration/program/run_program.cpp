// SPDX-License-Identifier: BSD-3-Clause
#include "run_program.hpp"

#include "temporary_file.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace frond::test {
namespace {

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

int exit_code_of(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// In the child; does not return.
[[noreturn]] void execute(const std::vector<std::string>& arguments, const Environment& variables) {
    for (const auto& [name, value] : variables) {
        if (value.empty())
            unsetenv(name.c_str());
        else
            setenv(name.c_str(), value.c_str(), 1);
    }
    std::vector<char*> argv{const_cast<char*>("frond")};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(FROND_PROGRAM, argv.data());
    _exit(127);
}

void redirect(int descriptor, const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
}

} // namespace

Outcome run_frond(const std::vector<std::string>& arguments, const Environment& variables) {
    const TemporaryFile out(".out"), err(".err");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        redirect(STDOUT_FILENO, out.path());
        redirect(STDERR_FILENO, err.path());
        execute(arguments, variables);
    }
    Outcome outcome;
    outcome.exit_code = exit_code_of(child);
    outcome.out = content_of(out.path());
    outcome.err = content_of(err.path());
    return outcome;
}

Outcome run_frond_on_terminal(const std::vector<std::string>& arguments,
                              const Environment& variables) {
    int terminal = -1;
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child < 0) throw std::runtime_error("forkpty failed");
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        execute(arguments, variables);
    }
    Outcome outcome;
    char buffer[4096];
    for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;)
        outcome.out.append(buffer, static_cast<std::size_t>(count));
    outcome.exit_code = exit_code_of(child);
    close(terminal);
    return outcome;
}

} // namespace frond::test
