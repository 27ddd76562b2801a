// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

enum class OrderingMethod : std::uint8_t {
    automatic,
    amd,
    nested_dissection,
    metis,
    scotch,
    geometric,
    natural,
    user,
    ptscotch,
};
enum class MatchingMode : std::uint8_t { automatic, on, off };
/// Says, on several processes, whether each keeps its rows of A and its part of the analysis, so that none has the
/// whole.
enum class DistributedAnalysis : std::uint8_t { automatic, on, off };
enum class ScalingMethod : std::uint8_t { automatic, matching, equilibrate, none };

/// The machine that will factor, as far as the choice of an ordering asks: order of magnitude, in double
/// precision. 0: not known; a machine of two cores then stands for it.
struct MachineDescription {
    index_t cores = 0;
    double core_flops_per_second = 0;  // of one core that factors
    index_t devices = 0;
    double device_flops_per_second = 0;  // of a whole tree on one device
    double level_seconds = 0;  // of one level of a tree on a device, without its operations
    double step_seconds = 0;  // of 32 pivots one after the other there
};

/// How a tree is cut into tasks: what does not depend on the tree. As shipped, or as `frond tune` measured it
/// (docs/tuning.md).
struct TreeCut {
    /// Tiles of a front are of order nfront / (tiles_along_front sqrt(workers)), but within these bounds.
    double tiles_along_front = 6;
    index_t smallest_tile = 128, largest_tile = 384;  // below, kernels lose their rate; above, they gain no more
    index_t card_tile = 1024;  // of fronts of order 512 or more where the tree is cut for GPUs
    /// A subtree that becomes one task has at most 1 / (subtrees_per_worker workers) of all operations.
    double subtrees_per_worker = 16;
    /// The operations that a core does while four tasks are submitted: with many workers tiles grow with its cubic
    /// root.
    double operations_of_submission = 8e5;

    bool operator==(const TreeCut&) const = default;
};

/// Options of Solver::analyze. Everything has a default that needs no thought.
struct AnalysisOptions {
    Factorization factorization = Factorization::automatic;
    OrderingMethod ordering = OrderingMethod::automatic;
    /// Elimination order given by the caller: user_order[k] = column eliminated k-th (0-based).
    std::vector<index_t> user_order = {};
    /// Grid of an nx x ny x nz problem with `dofs` unknowns a node (geometric ordering);
    /// unknown = dof + dofs * (x + nx * (y + ny * z)). {0,0,0}: not a grid.
    std::array<index_t, 3> grid = {0, 0, 0};
    index_t grid_dofs = 1;
    MatchingMode matching = MatchingMode::automatic;
    ScalingMethod scaling = ScalingMethod::automatic;
    /// Amalgamation: merge a child into its parent when the zeros added stay below this share.
    double amalgamation_zeros = 0.0;  // 0: by predicted time (the default rule)
    /// Order of tiles in fronts on tiles; 0: chosen from the front and the number of workers.
    index_t tile_size = 0;
    /// Workers that the tree is cut for (subtrees); 0: as the session has, or 8 when deterministic.
    index_t workers = 0;
    /// Processes that the tree is cut for: with several, large fronts on both sides of a separator are not merged with
    /// it, also where that adds no zero. A Solver on several ranks takes their number where this is 1, unless
    /// `deterministic`.
    index_t ranks = 1;
    /// GPUs that the tree is cut for: larger tiles, smaller subtrees. -1: those of the session, none when
    /// deterministic.
    index_t cut_for_gpus = -1;
    bool deterministic = false;
    /// On several processes: who has A. `automatic`: where A would not fit into the memory of the first one. The order
    /// is then that of PT-Scotch, and nothing is matched: rows and columns are equilibrated where they need it, and
    /// pivots are found by threshold pivoting.
    DistributedAnalysis distributed_analysis = DistributedAnalysis::automatic;
    /// Host threads that the analysis itself may use, and the conversion of A in factor(); 0: one a core that the process may
    /// use.
    index_t threads = 0;
    /// What `ordering` = automatic predicts times for, rounded to powers of two so that results are repeated.
    /// A Solver describes the machine of its session where `cores` is 0. With `deterministic` the same machine
    /// stands for every one: 8 cores, no device.
    MachineDescription machine = {};
    /// A Solver takes that of its session's tuning (SessionOptions::tuning) where this is the default, unless
    /// `deterministic`, and unless `workers` is another number than the session has.
    TreeCut tree_cut = {};
};

}  // namespace frond
