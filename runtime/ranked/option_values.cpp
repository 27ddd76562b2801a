// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/option_values.hpp"

namespace frond::detail {

NamedValues option_values(const Options& options, OptionPhase phase) {
    NamedValues values;
    for (const OptionInfo& info : option_table())
        if (info.phase == phase && info.name.find("memory_budget_bytes") == std::string::npos)
            values.emplace_back(info.name, get_option(options, info.name));
    return values;
}

}  // namespace frond::detail
