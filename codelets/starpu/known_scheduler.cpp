// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/known_scheduler.hpp"

#include <starpu.h>

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "frond/base/error.hpp"

namespace frond {
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

}  // namespace

void expect_known_scheduler(const std::string& name, const std::string& source) {
    const char* const library = std::getenv("STARPU_SCHED_LIB");
    if (name.empty() || (library != nullptr && is_in_library(name, library))) return;
    std::string known;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p) {
        if (name == (*p)->policy_name) return;
        known += (known.empty() ? "" : ", ") + std::string((*p)->policy_name);
    }
    throw InvalidArgument(source + " = '" + name + "' is not a scheduler of this StarPU" +
                          (library != nullptr ? std::string(", nor of STARPU_SCHED_LIB = '") + library + "'" : "") +
                          "; it knows " + known);
}

}  // namespace frond
