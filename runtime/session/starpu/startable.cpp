// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/startable.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "frond/base/error.hpp"
#include "session/starpu/starpu_variables.hpp"

namespace frond::detail {
namespace {

/// A library of the user's own policies is not looked into.
void expect_scheduler(std::string_view name, const char* source) {
    if (name.empty() || std::getenv("STARPU_SCHED_LIB") != nullptr) return;
    std::string known;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p) {
        if (name == (*p)->policy_name) return;
        known += (known.empty() ? "" : ", ") + std::string((*p)->policy_name);
    }
    throw InvalidArgument(std::string(source) + " = '" + std::string(name) +
                          "' is not a scheduler of this StarPU; it knows " + known);
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
