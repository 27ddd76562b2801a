// SPDX-License-Identifier: BSD-3-Clause
// What became of the pivots of a factorization, in numbers: recorded where one runs, replayed where one is simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// One panel of a front on tiles: the rows and columns that had failed before it, and how many of its own stay.
struct RecordedPanel {
    index_t rows = 0, columns = 0, kept = 0;
};

struct RecordedSecondPass {
    index_t rows = 0, columns = 0, kept = 0;
    double search_flops = 0;  // of columns that depend on each other, in operations of the scalar
};

/// A front with failed columns, its own or those of children.
struct RecordedFront {
    index_t front = -1;
    std::vector<RecordedPanel> panels;  // [own tiles]; empty inside a subtree
    RecordedSecondPass second_pass;
    bool tried_pivots = false, tried_rows = false;  // inside a subtree: see cpu::SubtreeSecondPasses
};

/// One walk over the tree.
struct RecordedRun {
    std::uint64_t analysis = 0;  // fingerprint_of()
    bool threshold = false;  // pivots were tested
    count_t delayed = 0, second_pass = 0;  // columns, as the report counts them
    std::vector<RecordedFront> fronts;  // ascending

    /// Null: none of its columns failed.
    const RecordedFront* find(index_t front) const;
};

/// A hash of all that the tasks follow from: pattern, factorization, tree, tiles and subtrees.
std::uint64_t fingerprint_of(const Analysis& analysis);

/// From now on, or not any more, factorizations on this process alone leave their pivots. Between jobs.
void record_pivots(bool on) noexcept;
bool are_pivots_recorded() noexcept;
void add_recorded_run(RecordedRun run);
/// The runs of the last analysis with the last rule, which together made the last factors; all are then forgotten.
std::vector<RecordedRun> take_recorded_runs();

/// Simulated factorizations fail the pivots that these did, one after the other. Each must be expected.
void replay_pivots(std::vector<RecordedRun> runs);
/// @throws InvalidArgument  it names fronts, panels or columns that the analysis does not have
void expect_run_of(const Analysis& analysis, const RecordedRun& run);
/// The run that begins; null: no pivot fails.
const RecordedRun* begin_replayed_run();
/// Whether the factorization was repeated.
bool has_replayed_run() noexcept;

}  // namespace frond
