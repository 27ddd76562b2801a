// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond {

/// What the assembly of one tile needs; owned by the front, alive until its tasks have ended.
struct TileAssembly {
    index_t row_begin = 0, column_begin = 0;  // local row and column in the front where the tile starts
    bool lower = false;  // diagonal tile of a symmetric kind: row >= column only
    std::vector<count_t> entries;  // positions in the entry map
    std::vector<ChildPiece> pieces;  // in the order of their buffers
};

/// assemble_tile: W tile, R entries of A, R child tiles...      tile := entries of A + children (fixed order)
/// With `clear` false the tile is RW and the pieces from first_piece on are added. Threshold pivoting, with `clear`: R
/// start of the front, last. The entries are those of the unit, scaled, in the order of the map; in the host's memory
/// also where a device runs the task.
struct AssembleArguments : TaskArguments {
    const TileAssembly* assembly = nullptr;
    const EntryMap* map = nullptr;
    count_t first_entry = 0;  // of the unit, in the map
    index_t first_piece = 0, last_piece = 0;
    bool clear = true;
};
template <class T>
starpu_codelet& assemble_tile_codelet();
inline constexpr int assembled_entries = 1, first_assembled_piece = 2;  // buffers

namespace gpu {
template <class T>
void assemble_tile(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
