// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace frond::bench {

/// Runs this program again with `arguments` and returns the JSON object that the child writes to
/// descriptor 3. A crash, a time-out or silence comes back as {"error": ...}: a result, too.
/// preload: a library that is loaded before all others (LD_PRELOAD); empty: none.
nlohmann::json run_in_child(const std::vector<std::string>& arguments, double timeout_seconds,
                            const std::string& preload = "");

/// For the child. @throws std::runtime_error
void answer_parent(const nlohmann::json& result);

}  // namespace frond::bench
