// SPDX-License-Identifier: BSD-3-Clause
#include "simulation_program.hpp"

#include "frond/base/error.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

/// What comes first is what getenv() finds.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
    std::vector<std::string> all = variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text(*entry), name = text.substr(0, text.find('=') + 1);
        bool is_given = false;
        for (const std::string& v : variables) is_given = is_given || v.starts_with(name);
        if (!is_given) all.push_back(text);
    }
    return all;
}

void expect_possible(int error, const std::string& program) {
    if (error != 0) throw RuntimeError(program + " cannot be started: " + std::strerror(error));
}

/// Where the streams of a program go.
class StreamActions {
public:
    StreamActions(const std::string& program, const ProgramOutput& print) {
        expect_possible(posix_spawn_file_actions_init(&actions_), program);
        int error = 0;
        constexpr int mode = 0644;
        for (const auto& [descriptor, file] : {std::pair{STDOUT_FILENO, print.output}, {STDERR_FILENO, print.errors}})
            if (error == 0 && !file.empty())
                error = posix_spawn_file_actions_addopen(&actions_, descriptor, file.c_str(),
                                                         O_WRONLY | O_CREAT | O_TRUNC, mode);
        if (error == 0) return;
        posix_spawn_file_actions_destroy(&actions_);
        expect_possible(error, program);
    }
    StreamActions(const StreamActions&) = delete;
    StreamActions& operator=(const StreamActions&) = delete;
    ~StreamActions() { posix_spawn_file_actions_destroy(&actions_); }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

/// own_group: Ctrl-C on the terminal reaches it only by way of this process, which lets nobody read what is typed.
pid_t start(const std::string& program, std::vector<std::string>& arguments, std::vector<std::string>& environment,
            const ProgramOutput& print, bool own_group) {
    const StreamActions actions(program, print);
    posix_spawnattr_t attributes;
    expect_possible(posix_spawnattr_init(&attributes), program);
    int error = posix_spawnattr_setflags(&attributes, own_group ? POSIX_SPAWN_SETPGROUP : 0);  // 0: of its own number
    pid_t child = -1;
    if (error == 0)
        error = posix_spawn(&child, program.c_str(), actions.get(), &attributes, pointers(arguments).data(),
                            pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    expect_possible(error, program);
    return child;
}

/// Kills a child with all that it has started, without waiting for what it would do at its end.
void kill_with_all(pid_t child) {
    if (kill(-child, SIGKILL) != 0) kill(child, SIGKILL);  // the second: it has no group of its own
}

/// The status of the child for waitpid. An interrupt of this process ends the child.
int status_at_end(pid_t child, const std::string& program) {
    constexpr std::chrono::milliseconds turn(5);
    bool killed = false;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) throw RuntimeError(program + ": waitpid: " + std::strerror(errno));
        if (interrupt_flag().load() && !std::exchange(killed, true)) kill_with_all(child);
        std::this_thread::sleep_for(turn);
    }
}

}  // namespace

std::string simulation_program() {
    const char* const named = std::getenv("FROND_SIMULATION_PROGRAM");
    std::error_code failure;
    const std::string program =
        named != nullptr ? named : (fs::read_symlink("/proc/self/exe", failure).parent_path() / "frond-simulation");
    if (access(program.c_str(), X_OK) == 0) return program;
    throw RuntimeError(
        program + ": " + std::strerror(errno) +
        "; frond simulate needs the program of the simulation build: scripts/frond simulate builds it, or "
        "set FROND_SIMULATION_PROGRAM to it (docs/simulation.md)");
}

int run_simulation_program(const std::string& program, std::vector<std::string> arguments,
                           const std::vector<std::string>& variables, const ProgramOutput& print,
                           const std::function<void(int)>& stopped) {
    const bool reads_terminal =
        isatty(STDIN_FILENO) != 0 && std::find(arguments.begin(), arguments.end(), "-") != arguments.end();
    arguments.insert(arguments.begin(), program);
    arguments.push_back("--log=root.thresh:warning");  // SimGrid takes it, and says nothing of its settings
    std::vector<std::string> environment = environment_with(variables);
    const pid_t child = start(program, arguments, environment, print, !reads_terminal);
    const int status = status_at_end(child, program);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (stopped) stopped(child);
    expect_no_interrupt();
    throw RuntimeError(program + " was ended by signal " + std::to_string(WTERMSIG(status)));
}

}  // namespace frond::cli
