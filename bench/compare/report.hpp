// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace frond::bench {

/// Medians over rounds of the runs of one solver on one matrix; a failed run stands for all.
nlohmann::json combine_rounds(const std::vector<nlohmann::json>& rounds);

/// Adds <key>_ratio to every row: seconds and peak memory over those of Frond on the same matrix.
void add_ratios(std::vector<nlohmann::json>& rows);

/// One table a matrix: seconds, flops, rates, memory, errors, and ratios against Frond.
void print_table(const std::vector<nlohmann::json>& rows);

void write_json(const std::string& file, const nlohmann::json& record);
void write_csv(const std::string& file, const std::vector<nlohmann::json>& rows);
/// Bars of analysis + factor + solve seconds, grouped by matrix.
void write_svg(const std::string& file, const std::vector<nlohmann::json>& rows);

}  // namespace frond::bench
