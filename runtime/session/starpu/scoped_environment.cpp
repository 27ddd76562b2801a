// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/scoped_environment.hpp"

#include <cstdlib>
#include <new>

namespace frond::detail {

std::optional<std::string> environment_value(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

ScopedEnvironment::~ScopedEnvironment() {
    // Last change first: a variable that was changed twice gets the value from before the first.
    for (auto b = before_.rbegin(); b != before_.rend(); ++b)
        b->value ? setenv(b->name.c_str(), b->value->c_str(), 1) : unsetenv(b->name.c_str());
}

void ScopedEnvironment::keep(const char* name) { before_.push_back({name, environment_value(name)}); }

void ScopedEnvironment::set(const char* name, const std::string& value) {
    keep(name);
    if (setenv(name, value.c_str(), 1) != 0) throw std::bad_alloc();
}

void ScopedEnvironment::set_default(const char* name, const std::string& value) {
    if (std::getenv(name) == nullptr) set(name, value);
}

void ScopedEnvironment::hide(const char* name) {
    if (std::getenv(name) == nullptr) return;
    keep(name);
    unsetenv(name);
}

}  // namespace frond::detail
