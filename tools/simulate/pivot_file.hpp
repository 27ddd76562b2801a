// SPDX-License-Identifier: BSD-3-Clause
// What became of the pivots of a run in a file: frond solve --record-pivots writes it, frond simulate --pivots reads it.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/recorded_pivots.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

struct PivotFile {
    std::string matrix;  // its name, for messages
    std::uint64_t pattern = 0, analysis = 0;
    std::string factorization;
    index_t workers = 0, tile_size = 0;  // that the tree was cut for
    std::vector<RecordedRun> runs;
};

/// The file of what was recorded. @throws RuntimeError  nothing was
PivotFile pivot_file_of(const Analysis& analysis, const std::string& matrix, std::vector<RecordedRun> runs);

std::string text_of_pivots(const PivotFile& file);
/// @throws InvalidArgument  naming file, line and reason
PivotFile parse_pivots(std::string_view text, const std::string& name);
PivotFile read_pivots(const std::string& name);

/// Checks the pivots before a simulation of that analysis. threshold: it tests pivots.
/// @throws InvalidArgument  the pivots are of another one; the message says what differs and what to do
void expect_pivots_of(const PivotFile& file, const std::string& name, const Analysis& analysis, bool threshold);

}  // namespace frond::cli
