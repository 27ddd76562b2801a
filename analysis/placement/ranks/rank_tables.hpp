// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "frond/analysis/rank_mapping.hpp"

namespace frond {

/// The number of tile rows of a front, with tiles as large as on cards; cores have smaller ones, so that there are
/// more.
inline index_t least_lines(const Front& front) {
    constexpr index_t largest_tile = 1024;
    return front.nfront / largest_tile;
}

/// Tables of ranks 0, 1, .. for fronts, made once each. L U: rows x columns with rows <= columns <= 3 rows. Symmetric kinds:
/// the symmetric block-cyclic one, or a PairTable, which there is for any number of ranks, if the front has tiles enough.
class RankTables {
public:
    explicit RankTables(bool symmetric) : symmetric_(symmetric) {}

    /// lines: of tiles of the front.
    /// True: there is a table with exactly so many ranks.
    bool has(index_t ranks, index_t lines) const;
    /// A table of at most so many ranks, asked for by any number of threads; if has(), the one with least work and
    /// bytes of the rank that has most.
    const RankGrid& table(index_t ranks, index_t lines);

private:
    index_t most_classes(index_t ranks, index_t lines) const;
    RankGrid make(index_t ranks, index_t most_classes) const;

    bool symmetric_;
    std::mutex mutex_;
    std::map<std::pair<index_t, index_t>, RankGrid> made_;  // of ranks and most_classes
};

}  // namespace frond
