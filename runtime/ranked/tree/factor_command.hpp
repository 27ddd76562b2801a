// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "factors/other_ranks.hpp"
#include "frond/reports.hpp"

namespace frond::detail {

/// A command to factor.
template <class T>
struct FactorCommand {
    std::int64_t number = 0;
    std::vector<std::int64_t> alive;
    Pivoting pivoting = Pivoting::threshold;
    SelectsRows selects_rows = SelectsRows::no;
    typename OtherRanks<T>::Factoring how;
    bool can_be_cancelled = true;  // earlier factors that are made again after a cancellation cannot
    std::vector<double> row_scale, column_scale;  // of a dense A, which each rank scales itself

    template <class Archive>
    void visit(Archive& archive) {
        archive(number, alive, pivoting, selects_rows, how, can_be_cancelled, row_scale, column_scale);
    }
};

/// Tables of ranks, one after the other.
inline std::vector<index_t> packed_grids(const RankMapping& mapping) {
    std::vector<index_t> packed;
    for (const RankGrid& grid : mapping.grid) {
        packed.insert(packed.end(), {grid.rows, grid.cols});
        packed.insert(packed.end(), grid.rank.begin(), grid.rank.end());
    }
    return packed;
}

inline std::vector<RankGrid> unpacked_grids(const std::vector<index_t>& packed) {
    std::vector<RankGrid> grids;
    for (auto next = packed.begin(); next != packed.end();) {
        RankGrid& grid = grids.emplace_back();
        grid.rows = *next++;
        grid.cols = *next++;
        const auto end = next + static_cast<std::ptrdiff_t>(grid.rows) * grid.cols;
        grid.rank.assign(next, end);
        next = end;
    }
    return grids;
}

}  // namespace frond::detail
