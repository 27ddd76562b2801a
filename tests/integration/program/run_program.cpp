// SPDX-License-Identifier: BSD-3-Clause
#include "program_files.hpp"
#include "run_program.hpp"

#include "temporary_file.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace frond::test {
namespace {

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
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(FROND_PROGRAM, argv.data());
    _exit(127);
}

void redirect(int descriptor, const std::string& path, int flags = O_TRUNC) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | flags, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
}

// The reading end of a pipe that holds the text.
int pipe_of(const std::string& text) {
    int ends[2];
    if (text.size() > 60000 || pipe(ends) != 0 ||
        write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw std::runtime_error("no pipe for the input");
    close(ends[1]);
    return ends[0];
}

// In the child.
void connect(const Streams& streams, int input, const std::string& out) {
    if (input >= 0 && dup2(input, STDIN_FILENO) < 0) _exit(126);
    if (streams.output_file.empty())
        redirect(STDOUT_FILENO, out);
    else
        redirect(STDOUT_FILENO, streams.output_file, O_APPEND);
    if (streams.output_closed) close(STDOUT_FILENO);
    if (streams.error_full) redirect(STDERR_FILENO, "/dev/full");
    if (streams.error_closed) close(STDERR_FILENO);
    if (streams.largest_file_bytes == 0) return;
    const auto bytes = static_cast<rlim_t>(streams.largest_file_bytes);
    const rlimit limit{bytes, bytes};
    signal(SIGXFSZ, SIG_IGN);  // writing is then an error, as on a full disk
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
}

}  // namespace

Outcome run_frond(const std::vector<std::string>& arguments, const Environment& variables, const Streams& streams) {
    const TemporaryFile out(".out"), err(".err");
    const int input = streams.input.empty() ? -1 : pipe_of(streams.input);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        redirect(STDERR_FILENO, err.path());
        connect(streams, input, out.path());
        execute(arguments, variables);
    }
    if (input >= 0) close(input);
    Outcome outcome;
    outcome.exit_code = exit_code_of(child);
    outcome.out = content_of(out.path());
    outcome.err = content_of(err.path());
    return outcome;
}

Outcome run_frond_on_terminal(const std::vector<std::string>& arguments, const Environment& variables,
                              const std::string& interrupt_at) {
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
    bool waits = !interrupt_at.empty();
    for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;) {
        outcome.out.append(buffer, static_cast<std::size_t>(count));
        if (!waits || outcome.out.find(interrupt_at) == std::string::npos) continue;
        waits = false;
        constexpr char control_c = 3;
        if (write(terminal, &control_c, 1) != 1) throw std::runtime_error("the terminal takes no input");
    }
    outcome.exit_code = exit_code_of(child);
    close(terminal);
    return outcome;
}

}  // namespace frond::test
