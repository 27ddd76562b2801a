// SPDX-License-Identifier: BSD-3-Clause
#include "environment.hpp"

#include "frond/cpu/blas_info.hpp"
#include "frond/option_table.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace frond::cli {
namespace {

constexpr std::string_view prefix = "FROND_";

// Beginnings of what the scripts, CMake, the tests and the program itself call FROND_...
constexpr std::array<std::string_view, 21> other_variables{
    "BLAS_RESTART_", "BUILD_",   "CACHE",           "CUDA",     "CUDSS_",      "FIRST_BLAS_", "GPU_KERNELS",
    "HIP",           "INSTALL",  "INSTRUCTION_SET", "MATRICES", "MPI_PLUGIN",  "PEERS",       "PROGRAM",
    "QUICK_",        "ROCBLAS_", "SANITIZE",        "SCALARS",  "SIMULATION_", "STARPU_",     "TEST_"};

bool is_known(std::string_view name) {
    const auto table = option_table();
    const auto begins = [&](std::string_view other) { return name.starts_with(other); };
    return std::any_of(other_variables.begin(), other_variables.end(), begins) ||
           std::any_of(table.begin(), table.end(), [&](const OptionInfo& info) {
               return environment_name(info.name).substr(prefix.size()) == name;
           });
}

// "; did you mean FROND_ORDERING?", or where the names are.
std::string suggestion(std::string_view name) {
    std::vector<std::string> names;
    for (const OptionInfo& info : option_table()) names.push_back(environment_name(info.name).substr(prefix.size()));
    const std::string nearest = nearest_spelling(name, names);
    return nearest.empty() ? "; docs/options.md lists them" : fmt::format("; did you mean {}{}?", prefix, nearest);
}

// Beginnings of StarPU's variables for numbers of workers, their places, memories and links. STARPU_SCHED and what
// else schedulers read stays.
constexpr std::array<std::string_view, 9> machine_variables{
    "STARPU_N",       "STARPU_WORKERS_",     "STARPU_RESERVE_", "STARPU_LIMIT_",  "STARPU_MINIMUM_",
    "STARPU_TARGET_", "STARPU_MAIN_THREAD_", "STARPU_CUDA_",    "STARPU_SIMGRID_"};

bool is_of_machine(const std::string& name) {
    for (const std::string_view begin : machine_variables)
        if (name.starts_with(begin)) return true;
    for (const OptionInfo& info : option_table())
        if (info.phase == OptionPhase::session && info.name != "scheduler" && environment_name(info.name) == name)
            return true;
    return false;
}

}  // namespace

void leave_out_machine_variables() {
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string variable(*entry);
        if (const std::string name = variable.substr(0, variable.find('=')); is_of_machine(name)) names.push_back(name);
    }
    for (const std::string& name : names) {
        unsetenv(name.c_str());
        print_warning(
            fmt::format("the variable {} is of the machine that frond runs on, and simulations leave it out", name));
    }
}

void warn_of_unknown_variables() {
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view variable(*entry);
        if (!variable.starts_with(prefix)) continue;
        const std::string_view name = variable.substr(prefix.size(), variable.find('=') - prefix.size());
        if (is_known(name)) continue;
        print_warning(
            fmt::format("the variable {}{} is no option and has no effect{}", prefix, name, suggestion(name)));
    }
}

namespace {

constexpr const char* core_type = "OPENBLAS_CORETYPE";
// Set for the second start: the kernel that OpenBLAS had chosen, or why the start failed.
constexpr const char* first_choice = "FROND_FIRST_BLAS_KERNEL";
constexpr const char* failure = "FROND_BLAS_RESTART_FAILURE";

}  // namespace

void restart_with_suitable_blas_kernels(char** argv) {
    if (std::getenv(core_type) || std::getenv(first_choice)) return;
    const BlasInfo blas = blas_info();
    if (blas.better_core_type.empty()) return;
    setenv(core_type, blas.better_core_type.c_str(), 1);
    setenv(first_choice, blas.kernel.c_str(), 1);
    execv("/proc/self/exe", argv);
    setenv(failure, std::strerror(errno), 1);
    unsetenv(core_type);  // OpenBLAS has read it already; children of this process must not
    unsetenv(first_choice);
}

std::string blas_choice_text() {
    if (const char* reason = std::getenv(failure))
        return std::string("by OpenBLAS; starting again with a better choice failed: ") + reason;
    if (const char* replaced = std::getenv(first_choice))
        return std::string("by frond, in place of ") + replaced +
               ": the processor has AVX-512, which OpenBLAS did not make use of";
    if (const char* set = std::getenv(core_type))
        return std::string("by ") + core_type + "=" + set + " in the environment";
    return "by OpenBLAS, and it suits the processor";
}

void warn_of_tuning(const SessionInfo& session) {
    if (!session.tuning_advice.empty())
        print_warning("the tuning of this machine has no effect: " + session.tuning_advice);
}

}  // namespace frond::cli
