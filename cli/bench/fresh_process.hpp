// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace frond::cli {

/// Runs this program with `arguments` and returns what it wrote by answer_waiting_process().
/// @throws RuntimeError  it cannot be started, or ended with another exit code than 0
std::string answer_of_fresh_process(const std::vector<std::string>& arguments);

/// Answers, in the process that was started. @throws RuntimeError  none waits
void answer_waiting_process(const std::string& answer);

}  // namespace frond::cli
