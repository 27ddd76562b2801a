// SPDX-License-Identifier: BSD-3-Clause
// Parts of the failed columns of a shared front: from the rank that leads, and back to it.
#pragma once

#include "frond/analysis/rank_mapping.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

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

}  // namespace frond
