// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/run_json.hpp"
#include "study_cases.hpp"
#include "terminal/table.hpp"

namespace frond::cli {

std::string study_table(const std::vector<StudyCase>& cases, const Style& style);
/// Below the table: which cases cannot tell schedulers apart; empty: all can.
std::string text_of_pieces(const std::vector<StudyCase>& cases);
/// interrupted: cases are missing.
Json study_json(const std::vector<StudyCase>& cases, bool replayed, bool interrupted = false);
std::string study_csv(const std::vector<StudyCase>& cases);

/// Bars of the simulated times, with a mark where the bound is, and bars of real ones: an SVG, or where `file` ends in
/// .html, a page with it that needs nothing else.
std::string study_picture(const std::vector<StudyCase>& cases, const std::string& file);

}  // namespace frond::cli
