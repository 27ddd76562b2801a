// SPDX-License-Identifier: BSD-3-Clause
// Argument structs and codelets of the factorization's task kinds. Buffers are listed in order with their access
// modes.
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/late_memory.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/child_piece.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond {

/// Numbers of the parts that a piece uses, in the order of its task's buffers.
struct PieceParts {
    std::vector<index_t> on_host, on_device;
};

/// Scratch memory of one kind of job, one block a worker that asks. Defined by the runtime.
class WorkspacePool;

/// What the assembly of one tile needs; owned by the front, alive until its tasks have ended.
struct TileAssembly {
    index_t row_begin = 0, column_begin = 0;  // local row and column in the front where the tile starts
    bool lower = false;  // diagonal tile of a symmetric kind: row >= column only
    std::vector<count_t> entries;  // positions in the entry map
    std::vector<ChildPiece> pieces;  // in the order of their buffers
};

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

/// factor_diagonal: RW tile, W pivot record (LL^T: its outcome alone), W inverses (with `inverses_usable`, devices only:
/// of the blocks of the tile's lower triangle, LU: then of the upper one's, see gpu/kernels/substitution/invert_blocks.hpp)
struct FactorDiagonalArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    /// Pairs of the matching: 1 when columns k and k + 1 of the tile are one; null: none.
    const std::uint8_t* pair_with_next = nullptr;
    WorkspacePool* workspaces = nullptr;
    unsigned char* inverses_usable = nullptr;  // set to 1 when they are small enough to multiply with, else to 0
};
template <class T>
starpu_codelet& factor_diagonal_codelet();

/// The body of the task on the calling core; tile and record (null: L L^T) in host memory. outcome: of the record, which
/// has begun.
template <class T>
void factor_diagonal_on_host(const FactorDiagonalArguments& a, DenseView<T> tile, unsigned char* record_bytes,
                             PivotOutcome& outcome);

/// solve_panel, lower: R diagonal tile, R pivot record (not LL^T), RW tile, W tile of L D (LDL^T) or of
/// the tile as it was (LU with threshold pivoting)
/// solve_panel, upper (LU): R diagonal tile, R pivot record, RW tile
/// Both with `inverses_usable` (devices only): then R inverses of factor_diagonal.
struct SolvePanelArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool upper = false;
    /// Threshold pivoting: the first column of the tile with an entry above it limits the record's outcome. 0: none.
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
};
template <class T>
starpu_codelet& accept_pivots_codelet();

/// The body of the task on the calling core; panel in host memory.
template <class T>
void accept_pivots_on_host(AcceptPivotsArguments<T>& a, cpu::FactoredPanel<T>& panel, cpu::FailedColumns<T>& failed,
                           PivotOutcome& outcome);

/// When the second pass of a unit has ended. delayed: what goes to the parent; null: nothing can.
template <class T>
void announce_hand_over(const cpu::DelayedColumns<T>* delayed, PivotOutcome& outcome) {
    outcome.failed_rows = delayed != nullptr ? delayed->rows() : 0;
    outcome.failed_columns = delayed != nullptr ? delayed->cols() : 0;
    outcome.hand_over_bytes = delayed != nullptr ? cpu::packed_bytes(*delayed) : 0;
}

/// eliminate_failed, after the last panel is settled: RW failed columns, which are empty then, W factors of the second pass, RW
/// pivot record of the last panel, W delayed columns (not at a root).
struct EliminateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool at_root = false;
    PivotRule rule;
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

/// factor_subtree: W factor chunk, R entries of A, W pivots, W contribution block (when the root has one); threshold
/// pivoting: W delayed columns (unless the root has no parent), which is `second_passes.delayed` of the pivots. The entries are
/// those of the subtree, scaled, in the order of the entry map; in the host's memory also where a device runs the task.
struct SubtreeArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    PivotRule rule;
    bool threshold = false;
    cpu::MemoryAccount* account = nullptr;  // of what threshold pivoting allocates
    LateMemory* memory = nullptr;  // of the contribution block; null: it has it, or there is none
};
template <class T>
starpu_codelet& factor_subtree_codelet();
inline constexpr int subtree_entries = 1;  // buffer

/// Whether columns may go to a parent.
inline bool can_hand_over(const SubtreeArguments& a) {
    return a.threshold && a.analysis->tree.fronts[static_cast<std::size_t>(a.subtree->root_front)].parent >= 0;
}

/// The buffers of the task.
template <class T>
struct SubtreeBuffers {
    T* chunk = nullptr;
    const T* entries = nullptr;  // in host memory
    cpu::SubtreePivots<T>* pivots = nullptr;
    DenseView<T> contribution;

    SubtreeBuffers() = default;
    SubtreeBuffers(const SubtreeArguments& a, void* buffers[])
        : chunk(vector_buffer<T>(buffers, 0)),
          entries(vector_buffer<T>(buffers, subtree_entries)),
          pivots(&object_buffer<cpu::SubtreePivots<T>>(buffers, 2)) {
        const auto root = static_cast<std::size_t>(a.subtree->root_front);
        if (a.analysis->tree.fronts[root].ncb() > 0) contribution = matrix_buffer<T>(buffers, 3);
    }
};

/// The body of the task on the calling core; all buffers in host memory.
template <class T>
void factor_subtree_on_host(SubtreeArguments& a, const SubtreeBuffers<T>& buffers);

/// factor_piece: parts on the host..., R values of A, parts on the device..., RW order of the device's pieces (no data)
///      the fronts of a piece by a recorded graph
/// Parts are W parts of the factors, R contribution blocks of other pieces, W blocks for other pieces. Of devices alone.
struct FactorPieceArguments : TaskArguments {
    void* tree = nullptr;  // gpu::ResidentFactorization<T>
    const void* run = nullptr;  // gpu::TreeRun<T>
    index_t piece = 0;
    const PieceParts* parts = nullptr;
};
/// on_host: buffers in front that are read and written in the host's memory. Any thread.
template <class T>
starpu_codelet& factor_piece_codelet(index_t on_host = 0);

/// What a core says of the pivots of its piece.
template <class T>
struct CorePivots {
    index_t first_column = 0;
    std::vector<T> pivots;  // the diagonal of L or U, or D of L D L^T as [2, columns]
    std::vector<index_t> perm;  // [columns] local to each front
    PivotReport report;
    bool are_good = false;  // none was replaced or failed, so that the piece is as a device leaves one
};

/// factor_piece of a core: R values of A, W part of the factors, W room of the contribution block (when the root has
/// one)      a subtree of the mapping, which scales its entries itself
/// Where pivots are not good, factors and block mean nothing.
template <class T>
struct CorePieceArguments : TaskArguments {
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const Scaling* scaling = nullptr;
    PivotRule rule;
    count_t first_byte = 0;  // of the subtree's chunk in the part
    CorePivots<T>* pivots = nullptr;
};
template <class T>
starpu_codelet& core_piece_codelet();

/// bring_piece, of devices alone: R parts, which StarPU brings there, beside what the device does
starpu_codelet& bring_piece_codelet();

}  // namespace frond
