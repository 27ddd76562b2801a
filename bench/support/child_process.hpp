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

/// Runs a program, found as a shell finds it, with variables NAME=VALUE added to its environment, and returns the JSON
/// object in the last line of its standard output; without one {"error": ...}, with the last line there.
nlohmann::json run_program(const std::vector<std::string>& command, const std::vector<std::string>& environment);

/// For the child. @throws std::runtime_error
void answer_parent(const nlohmann::json& result);

}  // namespace frond::bench
