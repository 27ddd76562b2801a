// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "handles/data_handle.hpp"
#include "handles/factor_parts.hpp"
#include "factors/dense_ranks.hpp"
#include "factors/place_factors.hpp"
#include "factors/remote_pivots.hpp"
#include "factors/second_pass_positions.hpp"
#include "factors/sparse_ranks.hpp"
#include "handles/tiled_front.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/matrix/dense_matrix_view.hpp"
#include "frond/solver.hpp"
#include "memory/predict_solve.hpp"
#include "messages/tree_share.hpp"
#include "refinement/linear_system.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

template <class T>
class DeviceSolve;

/// Factors of one subtree: the chunk and the pivots that cpu/subtree.hpp describes.
template <class T>
struct SubtreeFactors {
    HostBlock memory;  // empty: another owns it
    T* chunk = nullptr;  // on the host or a device
    std::unique_ptr<cpu::SubtreePivots<T>> pivots = std::make_unique<cpu::SubtreePivots<T>>();  // not null
    DataHandle handle, pivots_handle;  // after what they stand for; null where another rank has the subtree

    /// Memory and a handle, for subtree `number` of the analysis.
    static SubtreeFactors make(const Analysis& analysis, std::size_t number);
    /// A handle of factors that were made already, in memory of that node that outlives this.
    static SubtreeFactors made(const Analysis& analysis, std::size_t number, T* chunk, unsigned node);
};

/// What a tree needs in addition to its branches, where these are factored as a tree by themselves.
template <class T>
struct RestOfTree {
    double largest_entry = 0;  // of the scaled matrix of the whole tree
    count_t device_bytes = 0;  // of each device, that the tasks of the fronts above the branches want
    std::vector<std::span<const T>> values;  // of the branches, one run behind the other, while they are factored
};

/// Who exchanges rows over whole tile columns, in L U of a dense A: by the tile columns of all ranks no column may fail.
enum class SelectsRows : std::uint8_t { no, all_ranks, rank_0 };

/// Everything that Factors<T> shares. Immutable once the factorization has ended, but for where the factors of devices
/// are: see place_mutex.
template <class T>
class FactorsState {
public:
    HeapUse heap_use{host_heap()};  // ends when the memory of all others is free
    std::shared_ptr<SessionState> session;
    std::shared_ptr<const Analysis> analysis;
    std::shared_ptr<const Analysis> given_analysis;  // where columns were delayed on a device: without that; else null
    SharedMatrix<T>
        matrix;  // A itself, for residuals; not null. For a dense A, and with sparse_ranks, its diagonal alone
    std::shared_ptr<const SparseRanks<T>> sparse_ranks;  // several ranks have A, which is sparse; else null
    std::optional<DenseMatrixView<T>>
        dense;  // A where it is dense, in the caller's memory; of several ranks a part of it
    std::shared_ptr<const DenseRanks<T>> dense_ranks;  // several ranks have A; null: all of it is in dense
    SelectsRows selects_rows = SelectsRows::no;
    std::vector<index_t>
        exchanged_rows;  // [n] row of A at each position where that differs from the analysis; else empty
    std::shared_ptr<const Scaling> scaling = std::make_shared<const Scaling>();  // not null
    std::shared_ptr<const KeptScaling> kept_scaling;  // of scaling, where that is not empty; null: not known
    UnmatchedPart unmatched;  // of A as it is
    double largest_entry = 0;  // of the scaled matrix
    FactorReport report;
    std::shared_ptr<const FactorLayout<T>> layout;  // of parts; null: tasks made the factors
    // Once the factorization has ended, DeviceSolve::store_factors may bring them from devices to the host. Who uses them
    // holds this, or DeviceSolve's lock.
    mutable std::shared_mutex place_mutex;
    mutable FactorParts parts;  // with the factors of all units, when devices made the whole tree, held
    mutable bool is_stored = false;  // that has been done
    // [parts] Of the host: where StarPU puts copies of what is on devices, for cores. Empty: where it likes.
    mutable std::vector<HostBlock> copies;
    std::atomic<bool> may_be_stored{false};  // the factorization has ended
    std::shared_ptr<const TreeShare> share;  // other ranks have some of the units; null: all are here
    std::shared_ptr<const RemotePivots<T>> remote_pivots;  // of those units, on rank 0; else null
    std::vector<SecondPassPositions> second_pass_positions;  // with share: of the units of all ranks
    std::optional<RestOfTree<T>> rest_of_tree;  // these are factors of branches
    // With share, where devices have factored the branches of this rank: their factors, until bring_branches_to_host gives
    // those units to this state, under place_mutex; and the fronts of these units with their pivots. Else null and empty.
    std::shared_ptr<FactorsState> branches;
    mutable bool has_units_of_branches = false;
    std::vector<index_t> units_of_devices;  // ascending
    ListedPivots<T> own_pivots;  // theirs; all columns of this rank have an entry there
    bool is_made_by_devices(index_t unit) const {
        return std::binary_search(units_of_devices.begin(), units_of_devices.end(), unit);
    }

    std::optional<SolveBytes<T>> solve_bytes;  // what solves take, and
    mutable std::atomic<count_t> solve_bound_bytes{
        0};  // what the factorization's budget leaves them; 0: it was not given

    mutable std::atomic<count_t> bytes_on_device{0};  // of factors whose own memory is on a device
    mutable std::atomic<bool> seen_on_host{false};  // what factors_on_host found
    mutable std::vector<std::uint8_t>
        tiles_on_host;  // with share, as tiled(), 1: a solve brought them; under place_mutex
    bool first_of_analysis = true;  // as far as a Solver knows; later values have much the same condition
    mutable std::mutex hint_mutex;  // of what follows
    mutable std::optional<bool> hint_is_due;
    mutable std::optional<double> condition_hint;  // made when first asked for

    FactorsState() = default;
    ~FactorsState();

    /// A with its row sums for backward errors; op(A) is prepared when first asked for.
    const LinearSystem<T>& system(Operation op) const;

    /// The scaling that the unknowns of op(A) had: columns', or rows' for the transposed systems; of definite matrices
    /// that were factored as they are, the one they would have had. Empty: none.
    const std::vector<double>& solution_scale(Operation op) const;

    /// Made when first asked for; see substitution/device_solve.hpp.
    DeviceSolve<T>& device_solve() const;

    /// Factors of all units, as analysis->mapping.subtrees, and as analysis->mapping.grids.
    std::vector<SubtreeFactors<T>>& subtrees() const { return units().subtrees; }
    std::vector<std::unique_ptr<TiledFront<T>>>& tiled() const { return units().tiled; }
    /// Units in `parts` have no handles until somebody asks for them: solves on devices do not.
    /// pivot_order: [n] local to the fronts, empty for L L^T.
    void leave_units_in_parts(std::vector<index_t> pivot_order);
    bool are_units_in_parts_alone() const noexcept { return units_are_in_parts_; }
    /// [n] pivot orders of subtrees, local to their fronts; 0 in fronts on tiles. Not L L^T.
    std::vector<index_t> pivot_orders_of_subtrees() const;

    /// Before the same matrix is factored once more; nobody solves with them.
    void drop_factors();
    /// Another analysis of the matrix, before there are factors.
    void use_analysis(std::shared_ptr<const Analysis> other);

    Factorization kind() const { return analysis->factorization; }
    const std::vector<index_t>& row_order() const {
        return exchanged_rows.empty() ? analysis->row_order : exchanged_rows;
    }
    /// A is known by its products alone: it is dense, or several ranks have its rows.
    bool has_products_alone() const { return dense.has_value() || sparse_ranks != nullptr; }
    /// op(A) then.
    std::shared_ptr<const DenseOperator<T>> products(Operation op) const;
    /// Entries of each row of op(A).
    std::vector<index_t> entries_of_rows(Operation op) const;
    /// max_j sum_i |a_ij|
    double norm_1() const;

private:
    PlacedUnits<T>& units() const {
        if (units_are_in_parts_.load(std::memory_order_acquire)) place_units();
        return units_;
    }
    void place_units() const;
    void release_handles();
    const std::vector<double>& solution_scale_under_lock(Operation op) const;

    mutable std::mutex units_mutex_;  // of what follows, while they are placed
    mutable std::atomic<bool> units_are_in_parts_{false};
    mutable PlacedUnits<T> units_;
    mutable std::vector<index_t> pivot_order_;  // until then

    mutable std::mutex mutex_;  // of what follows
    mutable std::optional<std::vector<double>> scale_of_unknowns_;  // where A was factored as it is
    mutable std::array<std::unique_ptr<const LinearSystem<T>>, 3> systems_;
    mutable std::shared_ptr<DeviceSolve<T>> device_solve_;  // goes before the handles that it holds
};

}  // namespace frond::detail
