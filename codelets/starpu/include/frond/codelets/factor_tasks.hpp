// SPDX-License-Identifier: BSD-3-Clause
// Argument structs and codelets of the factorization's task kinds (design, section 7). Buffers are
// listed in order with their access modes.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/panel_limit.hpp"
#include "frond/codelets/pivot_record.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/child_piece.hpp"
#include "frond/cpu/failed_columns.hpp"

namespace frond {

/// Scratch memory of one kind of job, one block a worker that asks. Defined by the runtime.
class WorkspacePool;

/// What the assembly of one tile needs; owned by the front, alive until its tasks have ended.
struct TileAssembly {
    index_t row_begin = 0, column_begin = 0;  // local row and column in the front where the tile starts
    bool lower = false;  // diagonal tile of a symmetric kind: row >= column only
    std::vector<count_t> entries;  // positions in the entry map
    std::vector<ChildPiece> pieces;  // piece p reads buffer 1 + p
};

/// assemble_tile: W tile, R child tiles...      tile := entries of A + children (fixed order)
/// With `clear` false the tile is RW and the pieces from first_piece on are added.
struct AssembleArguments : TaskArguments {
    const TileAssembly* assembly = nullptr;
    const EntryMap* map = nullptr;
    const void* entries = nullptr;  // scaled values in the order of the map
    index_t first_piece = 0, last_piece = 0;
    bool clear = true;
};
template <class T>
starpu_codelet& assemble_tile_codelet();

/// factor_diagonal: RW tile, W pivot record (not for LL^T), W inverses (with `inverses_usable`, devices only:
/// of the blocks of the tile's lower triangle, LU: then of the upper one's, see gpu/kernels/invert_blocks.hpp)
struct FactorDiagonalArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    /// Pairs of the matching: 1 when columns k and k + 1 of the tile are one; null: none.
    const std::uint8_t* pair_with_next = nullptr;
    PivotReport* report = nullptr;  // of this tile
    WorkspacePool* workspaces = nullptr;
    unsigned char* inverses_usable = nullptr;  // set to 1 when they are small enough to multiply with, else to 0
};
template <class T>
starpu_codelet& factor_diagonal_codelet();

/// The body of the task on the calling core; tile and record (null: L L^T) in host memory.
template <class T>
void factor_diagonal_on_host(const FactorDiagonalArguments& a, DenseView<T> tile, unsigned char* record_bytes);

/// solve_panel, lower: R diagonal tile, R pivot record (not LL^T), RW tile, W tile of L D (LDL^T) or of
/// the tile as it was (LU with threshold pivoting)
/// solve_panel, upper (LU): R diagonal tile, R pivot record, RW tile
/// Both with `inverses_usable` (devices only): then R inverses of factor_diagonal.
struct SolvePanelArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool upper = false;
    /// Threshold pivoting: told the first column of the tile with an entry above `bound`.
    PanelLimit* limit = nullptr;
    double bound = 0;
    WorkspacePool* workspaces = nullptr;
    const unsigned char* inverses_usable = nullptr;
};
template <class T>
starpu_codelet& solve_panel_codelet();

/// settle_panel (threshold pivoting, design section 8: reduce_kept, restore_failed and collect_failed):
/// RW diagonal tile, RW pivot record, then for each tile row after it: RW tile of L, RW ring tile, and,
/// LU, RW tile of U. See cpu::settle_panel.
template <class T>
struct SettlePanelArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    const TileGrid* grid = nullptr;
    index_t panel = 0;
    index_t first_slot = 0;
    const PanelLimit* limit = nullptr;
    cpu::FailedColumns<T>* pending = nullptr;  // of the front; its panels are settled one by one
    index_t* kept = nullptr;
    PivotReport* report = nullptr;
};
template <class T>
starpu_codelet& settle_panel_codelet();

/// After settle_panel: the largest |l_ij| of the panel's tiles goes into the report.
template <class T>
void note_largest(const SettlePanelArguments<T>& a) {
    a.report->largest_l = std::max(a.report->largest_l, a.limit->largest_l.load(std::memory_order_relaxed));
}

/// eliminate_pending (factor_leftover of the design), after the last panel: R pivot record of that.
template <class T>
struct EliminatePendingArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool at_root = false;
    PivotRule rule;
    cpu::FailedColumns<T>* pending = nullptr;
    cpu::Leftover<T>* leftover = nullptr;
    cpu::DelayedColumns<T>* delayed = nullptr;
    PivotReport* report = nullptr;
};
template <class T>
starpu_codelet& eliminate_pending_codelet();

/// update_leftover: RW contribution tile := tile - L (D) U of the leftover pivots
template <class T>
struct UpdateLeftoverArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const cpu::Leftover<T>* leftover = nullptr;
    index_t first_row = 0, first_column = 0;  // contribution rows and columns of the tile
    bool lower = false;
    cpu::MemoryAccount* account = nullptr;  // of a work vector
};
template <class T>
starpu_codelet& update_leftover_codelet();

/// update_tile: R left, R right, RW target      target := target - left right (see cpu/kernels.hpp)
/// left = right once when they are the same tile: then the buffers are R left, RW target.
enum class UpdateShape : std::uint8_t { general, transposed, lower };
struct UpdateArguments : TaskArguments {
    UpdateShape shape = UpdateShape::general;
    bool adjoint = false;
    bool same = false;
};
template <class T>
starpu_codelet& update_tile_codelet();

/// factor_subtree: W factor chunk, W contribution block (when the root has one)
struct SubtreeArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const void* entries = nullptr;
    PivotRule rule;
    index_t* perm = nullptr;
    void* leftovers = nullptr;  // cpu::SubtreeLeftovers<T>; null: static pivoting
    PivotReport* report = nullptr;
    cpu::MemoryAccount* account = nullptr;  // of what threshold pivoting allocates
};
template <class T>
starpu_codelet& factor_subtree_codelet();

/// The body of the task on the calling core; chunk and contribution in host memory.
template <class T>
void factor_subtree_on_host(SubtreeArguments& a, T* chunk, DenseView<T> contribution);

}  // namespace frond
