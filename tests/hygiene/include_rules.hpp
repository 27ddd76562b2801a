// SPDX-License-Identifier: BSD-3-Clause
// Which folder may include what: the table of docs/architecture.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond::hygiene {

struct IncludeRule {
    std::string folder;  // "codelets/cpu/"
    std::vector<std::string> permitted;  // beginnings of included names: "frond/base/", "starpu.h"
};

/// Rows "| `folder/` | `name` `name` |" of the table under "## Permitted includes".
std::vector<IncludeRule> include_rules(std::string_view architecture);

struct Include {
    int line = 0;
    std::string name;
    bool quoted = false;
};

std::vector<Include> includes_of(std::string_view source);

/// Why the file at `path` may not have this include; empty: it may. The rule with the longest
/// folder holds. Standard headers and files of the same module, named relatively, are always
/// permitted.
std::string objection(const std::vector<IncludeRule>& rules, const std::string& path, const Include& include);

}  // namespace frond::hygiene
