// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace frond::bench {

/// Medians over rounds of the runs of one solver on one matrix; a failed run stands for all.
nlohmann::json combine_rounds(const std::vector<nlohmann::json>& rounds);

/// 0 where the row has no such key.
double number(const nlohmann::json& row, const std::string& key);

/// Adds <key>_ratio to every row: seconds and peak memory over those of the solver `base` on the
/// same matrix.
void add_ratios(std::vector<nlohmann::json>& rows, const std::string& base);

/// One table a matrix: seconds, flops, rates, memory, errors, and ratios against the base.
void print_table(const std::vector<nlohmann::json>& rows);

/// Over all matrices, for each solver: geometric means of its ratios against the base, with the
/// least and the largest, and of its later factorizations against its own first.
void print_summary(const std::vector<nlohmann::json>& rows, const std::string& base);

void write_json(const std::string& file, const nlohmann::json& record);
void write_csv(const std::string& file, const std::vector<nlohmann::json>& rows);
/// Bars of analysis + factor + solve seconds, grouped by matrix.
void write_svg(const std::string& file, const std::vector<nlohmann::json>& rows);

}  // namespace frond::bench
