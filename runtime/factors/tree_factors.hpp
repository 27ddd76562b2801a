// SPDX-License-Identifier: BSD-3-Clause
// What a factorization makes. Its scalar may be another than the system's.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "factors/ownership.hpp"
#include "factors/place_factors.hpp"
#include "frond/base/host_block.hpp"
#include "frond/cpu/subtree.hpp"
#include "engine/data_handle.hpp"
#include "engine/factor_parts.hpp"
#include "engine/tiled_front.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Factors of one subtree: the chunk and the pivots that cpu/subtree.hpp describes.
template <class T>
struct SubtreeFactors {
    HostBlock memory;  // empty: another owns it
    T* chunk = nullptr;  // on the host or a device
    std::unique_ptr<cpu::SubtreePivots<T>> pivots = std::make_unique<cpu::SubtreePivots<T>>();  // not null
    DataHandle handle, pivots_handle;  // after what they stand for; null where another process has the subtree

    /// Memory and a handle, for subtree `number` of the analysis.
    static SubtreeFactors make(const Analysis& analysis, std::size_t number);
    /// A handle of factors that were made already, in memory of that node that outlives this.
    static SubtreeFactors made(const Analysis& analysis, std::size_t number, T* chunk, unsigned node);
};

/// Who exchanges rows over whole tile columns, in L U of a dense A: by the tile columns of all ranks no column may fail.
enum class SelectsRows : std::uint8_t { no, all_ranks, rank_0 };

/// The factors of a tree, or this process' share of them. They change no more when the factorization has ended, except
/// for where those of devices are: see place_mutex.
template <class T>
class TreeFactors {
public:
    TreeFactors(std::shared_ptr<SessionState> of_all, std::shared_ptr<const Analysis> of_tree)
        : session(std::move(of_all)), analysis(std::move(of_tree)) {}
    TreeFactors(const TreeFactors&) = delete;
    TreeFactors& operator=(const TreeFactors&) = delete;
    ~TreeFactors();

    const std::shared_ptr<SessionState> session;  // not null
    std::shared_ptr<const Analysis> analysis;  // not null
    Ownership<T> ownership;
    SelectsRows selects_rows = SelectsRows::no;
    std::vector<index_t>
        exchanged_rows;  // [n] row of A at each position where that differs from the analysis; else empty
    std::shared_ptr<const FactorLayout<T>> layout;  // of parts; null: tasks made the factors
    // When the factorization has ended, DeviceSolve::store_factors may bring them from devices to the host. Who uses them
    // holds this, or DeviceSolve's lock.
    mutable std::shared_mutex place_mutex;
    mutable FactorParts parts;  // with the factors of all units, when devices made the whole tree, held
    mutable bool is_stored = false;  // store_factors has done that
    // [parts] On the host: where StarPU puts copies of what is on devices, for cores. Empty: where it likes.
    mutable std::vector<HostBlock> copies;
    std::atomic<bool> may_be_stored{false};  // the factorization has ended
    mutable std::atomic<count_t> bytes_on_device{0};  // of factors whose own memory is on a device
    mutable std::atomic<bool> seen_on_host{false};  // factors_on_host has found them there
    mutable std::vector<std::uint8_t>
        tiles_on_host;  // [tiled()] 1: a solve of several processes brought them; under place_mutex

    Factorization kind() const { return analysis->factorization; }
    const std::vector<index_t>& row_order() const {
        return exchanged_rows.empty() ? analysis->row_order : exchanged_rows;
    }
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
    void drop();

private:
    PlacedUnits<T>& units() const {
        if (units_are_in_parts_.load(std::memory_order_acquire)) place_units();
        return units_;
    }
    void place_units() const;
    void release_handles();

    mutable std::mutex units_mutex_;  // for what follows, while they are placed
    mutable std::atomic<bool> units_are_in_parts_{false};
    mutable PlacedUnits<T> units_;
    mutable std::vector<index_t> pivot_order_;  // until then
};

}  // namespace frond::detail
