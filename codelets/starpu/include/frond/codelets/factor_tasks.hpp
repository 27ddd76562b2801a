// SPDX-License-Identifier: BSD-3-Clause
// Argument structs and codelets of the factorization's task kinds. Buffers are listed in order with their access
// modes.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/panel_limit.hpp"
#include "frond/codelets/pivot_record.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/child_piece.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/subtree.hpp"

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

/// gather_failed (threshold pivoting), the first task of a front: W failed columns of the front, W its start (no
/// data: what else begins the front reads it), RW delayed columns of each child that is a unit, in the tree's order.
struct GatherFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const AssemblyTree* tree = nullptr;
    index_t front = 0;
};
template <class T>
starpu_codelet& gather_failed_codelet();

/// assemble_tile: W tile, R child tiles...      tile := entries of A + children (fixed order)
/// With `clear` false the tile is RW and the pieces from first_piece on are added. Threshold pivoting: R start of the
/// front, last.
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
/// of the blocks of the tile's lower triangle, LU: then of the upper one's, see gpu/kernels/substitution/invert_blocks.hpp)
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
    /// Threshold pivoting: the first column of the tile with an entry above `bound` goes there.
    PanelLimit* limit = nullptr;
    double bound = 0;
    WorkspacePool* workspaces = nullptr;
    const unsigned char* inverses_usable = nullptr;
};
template <class T>
starpu_codelet& solve_panel_codelet();

/// accept_pivots (threshold pivoting): RW diagonal tile, RW pivot record, RW failed columns of the front, then for each
/// tile row after it: RW tile of L, RW tile of the panel backup, and, LU, RW tile of U. See cpu::accept_pivots.
template <class T>
struct AcceptPivotsArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    const TileGrid* grid = nullptr;
    index_t panel = 0;
    index_t first_position = 0;
    const PanelLimit* limit = nullptr;
    index_t* kept = nullptr;
    PivotReport* report = nullptr;
};
template <class T>
starpu_codelet& accept_pivots_codelet();

/// After accept_pivots: the largest |l_ij| of the panel's tiles goes into the report.
template <class T>
void note_largest(const AcceptPivotsArguments<T>& a) {
    a.report->largest_l = std::max(a.report->largest_l, a.limit->largest_l.load(std::memory_order_relaxed));
}

/// eliminate_failed, after the pivots of the last panel are accepted: RW failed columns, which are empty then, W
/// factors of the second pass, W delayed columns (not at a root).
struct EliminateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool at_root = false;
    PivotRule rule;
    PivotReport* report = nullptr;
};
template <class T>
starpu_codelet& eliminate_failed_codelet();

/// update_tile: R left, R right, RW target      target := target - left right (see cpu/kernels.hpp)
/// left = right once when they are the same tile: then the buffers are R left, RW target.
/// second_pass (last panel, contribution tile): R factors of the second pass, last; then also
/// target := target - L (D) U of the second pass (see cpu::update_contribution), mostly of no pivots.
enum class UpdateShape : std::uint8_t { general, transposed, lower };
struct UpdateArguments : TaskArguments {
    UpdateShape shape = UpdateShape::general;
    bool adjoint = false;
    bool same = false;
    bool second_pass = false;
    Factorization kind = Factorization::lu;  // from here on: of the second pass
    index_t first_row = 0, first_column = 0;  // contribution rows and columns of the target
    cpu::MemoryAccount* account = nullptr;  // of a work vector
};
template <class T>
starpu_codelet& update_tile_codelet();

/// target in host memory; does nothing where the second pass kept nothing. Adds to a.flops.
template <class T>
void update_by_second_pass(UpdateArguments& a, const cpu::SecondPass<T>& second_pass, DenseView<T> target);

/// factor_subtree: W factor chunk, W contribution block (when the root has one); threshold pivoting: W factors
/// of the second pass, W delayed columns (unless the root has no parent), which is their `delayed`.
struct SubtreeArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const void* entries = nullptr;
    PivotRule rule;
    index_t* perm = nullptr;
    bool threshold = false;
    PivotReport* report = nullptr;
    cpu::MemoryAccount* account = nullptr;  // of what threshold pivoting allocates
};
template <class T>
starpu_codelet& factor_subtree_codelet();

/// Of the task's buffers; null: static pivoting.
template <class T>
cpu::SubtreeSecondPasses<T>* second_passes_of(const SubtreeArguments& a, void* buffers[], bool has_contribution) {
    return a.threshold ? &object_buffer<cpu::SubtreeSecondPasses<T>>(buffers, has_contribution ? 2 : 1) : nullptr;
}

/// The body of the task on the calling core; chunk and contribution in host memory.
template <class T>
void factor_subtree_on_host(SubtreeArguments& a, T* chunk, DenseView<T> contribution,
                            cpu::SubtreeSecondPasses<T>* second_passes);

/// factor_piece: R values of A, W parts of the factors...      all fronts of a tree by the devices' recorded graphs
/// Of devices alone, on the worker of the first one.
struct FactorPieceArguments : TaskArguments {
    void* tree = nullptr;  // gpu::ResidentFactorization<T>
    void* run = nullptr;  // gpu::TreeRun<T>; the task fills in where values and parts are
    index_t parts = 0;
};
template <class T>
starpu_codelet& factor_piece_codelet();

}  // namespace frond
