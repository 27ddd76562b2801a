// SPDX-License-Identifier: BSD-3-Clause
// The results of solve_file with their verdicts, as text for a terminal and as a page of Markdown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solve_file.hpp"

namespace frond::bench {

std::string table_head();
std::string table_row(const nlohmann::json& result);

/// Rows of L D L^T, L D L^H and L U in tables of their own, positive definite matrices counted; what was
/// asked for and on what machine it ran stands above, growth above 2 with its reasons below.
std::string markdown_page(const std::vector<nlohmann::json>& results, const Bounds& bounds, const std::string& command);

}  // namespace frond::bench
