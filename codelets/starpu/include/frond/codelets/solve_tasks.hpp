// SPDX-License-Identifier: BSD-3-Clause
// Argument structs and codelets of the substitution's task kinds (docs/solve.md).
#pragma once

#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

class WorkspacePool;

/// Adds (forward) or copies (backward) between the contribution vector of a child and its parent's
/// segments: child row r is parent row relative_rows[r].
struct ChildLink {
    const index_t* relative_rows = nullptr;
    index_t ncb = 0;
    std::vector<index_t> child_cut;  // rows of the child's buffers: [child_cut[b], child_cut[b + 1])
    std::vector<index_t> parent_cut;  // local rows of the parent's buffers likewise
};

/// forward_subtree: R chunk, RW x, W y (when the root has a contribution)
/// diagonal_subtree: R chunk, RW x
/// backward_subtree: R chunk, RW x, R parent's segments...
enum class SolveStage : std::uint8_t { forward, diagonal, backward };
constexpr const char* text_of(SolveStage stage) {
    return stage == SolveStage::forward ? "forward" : stage == SolveStage::diagonal ? "diagonal" : "backward";
}
struct SubtreeSolveArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    const Analysis* analysis = nullptr;
    const Subtree* subtree = nullptr;
    const index_t* perm = nullptr;
    const void* second_passes = nullptr;  // cpu::SubtreeSecondPasses<T>, or null
    const ChildLink* link = nullptr;  // backward, when the root has a contribution
    WorkspacePool* workspaces = nullptr;
};
template <class T>
starpu_codelet& subtree_solve_codelet();

/// gather_children: RW own segments..., W contribution segments..., R children's buffers...
/// contribution segments are zeroed, then every child is added in order.
struct GatherArguments : TaskArguments {
    index_t own_segments = 0;
    index_t segments = 0;
    const std::vector<ChildLink>* links = nullptr;  // one a child
};
template <class T>
starpu_codelet& gather_children_codelet();

/// scatter_to_child: W child's contribution segments..., R parent's segments...
struct ScatterArguments : TaskArguments {
    const ChildLink* link = nullptr;
};
template <class T>
starpu_codelet& scatter_to_child_codelet();

/// solve_diagonal_tile: R diagonal tile, RW segment, R pivot record (not for LL^T)
struct DiagonalTileArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    Factorization kind = Factorization::lu;
};
template <class T>
starpu_codelet& solve_diagonal_tile_codelet();

/// solve_second_pass: RW segments with positions of the columns of the second pass and of the front's own..., then RW
/// (forward) or R (backward) contribution segments. The task works on the memory under them.
template <class T>
struct SecondPassSolveArguments : TaskArguments {
    SolveStage stage = SolveStage::forward;
    Operation operation = Operation::none;
    Factorization kind = Factorization::lu;
    const cpu::SecondPass<T>* second_pass = nullptr;
    index_t own_first = 0;  // elimination position of the front's first column
    DenseView<T> x;  // all elimination positions
    DenseView<T> y;  // contribution rows of the front
};
template <class T>
starpu_codelet& second_pass_solve_codelet();

/// update_segments: products of tiles with segments; buffers as the list says
///   buffer[target] := buffer[target] - op(buffer[tile]) buffer[source]
struct SegmentProduct {
    index_t target = 0, tile = 0, source = 0;
    Operation operation = Operation::none;
};
struct UpdateSegmentsArguments : TaskArguments {
    const std::vector<SegmentProduct>* products = nullptr;
};
template <class T>
starpu_codelet& update_segments_codelet();

/// prepare_solve: R parts of the factors...      inverses, tables, the matrix by rows, for solves on a device
/// solve_piece:   R parts of the factors...      substitution, or a whole solve with its refinement
/// Of devices alone, on the worker of one. The body puts kernels on a stream of its own and waits for them, so that whoever
/// submits the task finds results when it has ended. Factors that are not in parts are held on the device for it.
struct DeviceSolveArguments : TaskArguments {
    void (*body)(const void* work) = nullptr;
    const void* work = nullptr;
};
template <class T>
starpu_codelet& prepare_solve_codelet();
template <class T>
starpu_codelet& solve_piece_codelet();

}  // namespace frond
