// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

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
