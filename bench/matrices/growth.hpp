// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace frond::bench {

/// Factor entries over those predicted; 0 without factors.
double growth(const nlohmann::json& result);

/// "Growth above 2" as a section of Markdown: every matrix whose factors exceed twice the prediction, the
/// numbers of what happened to its columns, and what they say of the reason.
std::string growth_section(const std::vector<nlohmann::json>& results);

}  // namespace frond::bench
