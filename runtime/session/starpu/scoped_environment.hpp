// SPDX-License-Identifier: BSD-3-Clause
// Some of what StarPU is to know it reads from the environment alone, while it starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace frond::detail {

/// Variables of the environment as they are needed for a while; the destructor puts back what was
/// there. Not thread-safe: the environment belongs to the process, and nobody else may read or
/// change it meanwhile.
class ScopedEnvironment {
public:
    ScopedEnvironment() = default;
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
    ~ScopedEnvironment();

    void set(const char* name, const std::string& value);
    /// Only where the caller of the program has not set it.
    void set_default(const char* name, const std::string& value);
    void hide(const char* name);

private:
    struct Before {
        std::string name;
        std::optional<std::string> value;
    };

    void keep(const char* name);

    std::vector<Before> before_;
};

/// The value; empty: the variable is not set.
std::optional<std::string> environment_value(const char* name);

}  // namespace frond::detail
