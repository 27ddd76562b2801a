// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "study_cases.hpp"

namespace frond::cli {

/// Bars of the simulated times, with a mark where the bound is, and bars of real ones: an SVG, or where `file` ends in
/// .html, a page with it that needs nothing else.
std::string study_picture(const std::vector<StudyCase>& cases, const std::string& file);

}  // namespace frond::cli
