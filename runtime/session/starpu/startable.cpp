// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/startable.hpp"

#include <starpu.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "frond/base/error.hpp"
#include "session/starpu/starpu_variables.hpp"

namespace frond::detail {
namespace {

/// Whether the user's own library has it, as StarPU will ask it. StarPU itself would go on with another scheduler.
bool is_in_library(const std::string& name, const char* library) {
    const std::string variable = std::string("STARPU_SCHED_LIB = '") + library + "'";
    if (std::string_view(library).find('/') == std::string_view::npos)  // StarPU need not find what is found here
        throw InvalidArgument(variable +
                              " has no folder, so that it depends on search paths which library is meant; "
                              "name a shared library by its full path");
    const std::unique_ptr<void, int (*)(void*)> handle(dlopen(library, RTLD_NOW), dlclose);
    if (handle == nullptr)
        throw InvalidArgument(variable + " cannot be loaded: " + dlerror() +
                              "; name a shared library by its full path");
    using PolicyOf = starpu_sched_policy* (*)(const char*);
    const auto policy_of = reinterpret_cast<PolicyOf>(dlsym(handle.get(), "starpu_get_sched_lib_policy"));
    if (policy_of == nullptr)
        throw InvalidArgument(variable +
                              " has no function starpu_get_sched_lib_policy, extern \"C\", which StarPU asks "
                              "for a scheduler");
    return policy_of(name.c_str()) != nullptr;
}

void expect_scheduler(std::string_view name, const char* source) {
    const char* const library = std::getenv("STARPU_SCHED_LIB");
    if (name.empty() || (library != nullptr && is_in_library(std::string(name), library))) return;
    std::string known;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p) {
        if (name == (*p)->policy_name) return;
        known += (known.empty() ? "" : ", ") + std::string((*p)->policy_name);
    }
    throw InvalidArgument(std::string(source) + " = '" + std::string(name) + "' is not a scheduler of this StarPU" +
                          (library != nullptr ? std::string(", nor of STARPU_SCHED_LIB = '") + library + "'" : "") +
                          "; it knows " + known);
}

}  // namespace

void expect_startable(const SessionOptions& options) {
    constexpr index_t most = std::min(STARPU_MAXCPUS, STARPU_NMAXWORKERS);
    if (options.cpu_workers > most)
        throw InvalidArgument("cpu_workers = " + std::to_string(options.cpu_workers) + " is more than the " +
                              std::to_string(most) + " that this StarPU was built for; give " + std::to_string(most) +
                              " at most, or build StarPU with a larger --enable-maxcpus");
    expect_starpu_variables(hidden_variables(options));
    const char* const environment = std::getenv("STARPU_SCHED");
    if (!options.scheduler.empty())
        expect_scheduler(options.scheduler, "scheduler");
    else if (environment != nullptr)
        expect_scheduler(environment, "STARPU_SCHED");
}

}  // namespace frond::detail
