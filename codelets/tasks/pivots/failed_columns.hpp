// SPDX-License-Identifier: BSD-3-Clause
// Parts of the failed columns of a shared front: from the rank that leads, and back to it.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/rank_mapping.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

/// gather_failed (threshold pivoting), the first task of a front: W failed columns of the front, W its start (no
/// data: what else begins the front reads it), RW delayed columns of each child that is a unit, in the tree's order.
struct GatherFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const AssemblyTree* tree = nullptr;
    index_t front = 0;
    LateMemory* memory = nullptr;  // of the front's tiles
};
template <class T>
starpu_codelet& gather_failed_codelet();

struct FailedPartsArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const TileGrid* grid = nullptr;
    const RankGrid* table = nullptr;
    index_t rank = 0;
    index_t first_tile = 0;  // of those that are given out or collected
    cpu::MemoryAccount* account = nullptr;
};

/// deal_failed, on the rank that leads, after gather_failed: R failed columns, W FailedParts for each of
/// owners_of_failed_parts.
template <class T>
starpu_codelet& deal_failed_codelet();

/// take_parts, on those: RW FailedParts, which are empty then, W each part of this rank.
template <class T>
starpu_codelet& take_parts_codelet();

/// collect_parts, on the owners of contribution tiles after the last panel: W FailedParts, RW each of their parts there.
template <class T>
starpu_codelet& collect_parts_codelet();

/// give_back, on a rank with tiles of a panel of a shared front, before these are sent and used: R accepted panel, RW
/// diagonal tile and RW pivot record (where they are of this rank; else R the tile that was received); for each later tile
/// row t, where they are here: RW tile (t, panel), RW L D or copy of it, LU: RW tile (panel, t); then W FailedParts for each
/// of `given_back_pairs` from this rank. Does nothing to tiles where all pivots stay.
struct GiveBackArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const TileGrid* grid = nullptr;
    const RankGrid* table = nullptr;
    index_t rank = 0;
    index_t panel = 0;
    cpu::MemoryAccount* account = nullptr;
};
template <class T>
starpu_codelet& give_back_codelet();

}  // namespace frond
