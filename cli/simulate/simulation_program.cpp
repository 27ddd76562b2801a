// SPDX-License-Identifier: BSD-3-Clause
#include "simulation_program.hpp"

#include "frond/base/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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
                           const std::vector<std::string>& variables, const ProgramOutput& print) {
    arguments.insert(arguments.begin(), program);
    arguments.push_back("--log=root.thresh:warning");  // SimGrid takes it, and says nothing of its settings
    std::vector<std::string> environment = environment_with(variables);
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) throw RuntimeError(std::string("posix_spawn_file_actions_init: ") + std::strerror(error));
    constexpr int mode = 0644;
    for (const auto& [descriptor, file] : {std::pair{STDOUT_FILENO, print.output}, {STDERR_FILENO, print.errors}})
        if (error == 0 && !file.empty())
            error = posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                                     mode);
    pid_t child = -1;
    if (error == 0)
        error = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers(arguments).data(),
                            pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw RuntimeError(program + " cannot be started: " + std::strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw RuntimeError(program + ": waitpid: " + std::strerror(errno));
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    throw RuntimeError(program + " was ended by signal " + std::to_string(WTERMSIG(status)));
}

}  // namespace frond::cli
