// SPDX-License-Identifier: BSD-3-Clause
// Factorization of a whole tree on one device or several, at once: all fronts of a level together, from the
// deepest level to the roots; of several devices each does subtrees, and the fronts above them where children are.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/failed_pivot.hpp"
#include "frond/gpu/tree_run.hpp"

namespace frond::gpu {

/// Tables and work memory of one analysis, for one factorization after the other.
/// Calls of the device's runtime are made by the calling thread, whose current device is restored.
/// Two threads may not call its functions at a time, except run(). @throws DeviceError
template <class T>
class ResidentFactorization {
public:
    virtual ~ResidentFactorization() = default;

    virtual const std::shared_ptr<const Analysis>& analysis() const noexcept = 0;
    /// How many devices it uses: the first ones.
    virtual std::size_t used_devices() const noexcept = 0;
    /// Memory of the first device, or another, in addition to the factors; more than most_bytes where a single front
    /// needs more.
    virtual count_t bytes(std::size_t device = 0) const noexcept = 0;
    /// (npiv, nfront) -> how many of its columns a front should eliminate before the others are a front of their own: all,
    /// if they fit into most_bytes. It holds for fronts of such a tree.
    virtual std::function<index_t(index_t, index_t)> columns_that_fit(count_t most_bytes) const = 0;
    /// Pinned memory of the host, in addition to what factors take there.
    virtual count_t host_bytes() const noexcept = 0;
    /// The tasks of a factorization, in an order in which what a piece reads was made before.
    virtual const std::vector<TreePiece>& pieces() const noexcept = 0;
    /// The blocks of the fronts that all devices do together.
    virtual const std::vector<SharedFrontBlocks>& shared_fronts() const noexcept = 0;
    /// [fronts] the piece that has the front.
    virtual const std::vector<index_t>& piece_of_fronts() const noexcept = 0;
    /// The rooms whose blocks tasks read and write.
    virtual const TypedVector<RoomNumber, BlockRoom>& rooms() const noexcept = 0;
    /// The contribution blocks that one piece leaves for another, without those of fronts that all devices do together.
    virtual std::vector<BlockBetween> blocks() const = 0;
    /// True: subtrees and fronts follow each other for lack of memory.
    virtual bool is_in_parts() const noexcept = 0;
    /// The number of strips of fronts that are factored by strips.
    virtual count_t strips() const noexcept = 0;
    /// The bytes of contribution blocks that wait in the host's memory, counted in one direction.
    virtual count_t host_traffic_bytes() const noexcept = 0;
    /// The bytes of pivots and their order, which finish() fetches.
    virtual count_t pivot_bytes() const noexcept = 0;
    /// Kernels that one factorization starts.
    virtual count_t launches() const noexcept = 0;

    struct Answer {
        PivotReport report;
        /// [n] by elimination position: pivot order, local to the front. Empty for L L^T.
        std::vector<index_t> perm;
    };
    /// Makes what is on the devices from run to run, on the calling thread, before any run. Else the first run on each
    /// device does.
    virtual void be_ready() = 0;
    /// The task of the piece calls it, on its device. Pieces of a device come one after the other, those of other
    /// devices meanwhile.
    virtual void run(const PieceRun<T>& piece) = 0;
    /// A task on the device calls it, after the first piece there. One thread does updates, another one other steps and
    /// pieces.
    virtual void run(const ColumnsRun& columns) = 0;
    /// Called after all tasks, for each piece of a core, and for each piece that was kept with its pivots.
    virtual void put_pivots(index_t piece, const cpu::PiecePivots<T>& pivots) = 0;
    /// Called after put_pivots(). False: a pivot was too small, an |l_ij| too large, or an entry not finite; then the factors
    /// mean nothing.
    virtual bool finish(const PivotRule& rule, const ParallelFor& parallel_for, Answer& answer) = 0;
    /// The pivots of a piece of a device, after finish(), for put_pivots() of another plan. No fronts of other pieces
    /// may be between its own.
    virtual cpu::PiecePivots<T> pivots_of(index_t piece) const = 0;
    /// After finish(): a contribution block that was copied to the host before its room was used for another, see TreeRun. Null: it
    /// was not.
    virtual const unsigned char* copy_of_block(index_t front) const = 0;
    /// After finish(): [n], L D L^T [2, n], by elimination position: the pivots, on the host, until the next run.
    virtual const T* pivots() const = 0;
    /// As Answer::perm, on the host, until the next run. L L^T: null.
    virtual const index_t* perm() const = 0;
    /// After all tasks: [fronts] time on the devices, a whole subtree's at its root front. 0 where no trace is recorded.
    virtual std::vector<double> front_seconds() const = 0;
    /// The largest entry of the scaled matrix, after all tasks; not finite where an entry is not.
    virtual double largest_entry() const = 0;
    /// The pivots that failed, after finish() said false, ascending by column, as far as they are known. The fronts above
    /// went on without these columns, or with them as they were; so a failure there is likely, not certain.
    virtual const std::vector<FailedPivot>& failed_pivots() const noexcept = 0;
};

/// What a factorization on devices is planned for.
struct PlanRequest {
    /// Room for bytes(), and for as many of the factors as then fit. If all levels of the tree would take more, it may
    /// be cut into subtrees and single fronts that follow each other, and contribution blocks may be saved in the
    /// host's memory.
    count_t most_bytes = 0;
    /// [fronts] L U searches for pivots in all rows of the front that may be pivots (on tiles: of the piece), in place of those
    /// of a diagonal block; empty: in none.
    std::vector<char> searched = {};
    /// Cores next to one device, which get subtrees if that is expected to be quicker. Then most_bytes is no limit.
    index_t cores = 0;
    CutBefore before = {};  // the tree is cut there, if it then fits
};

/// Plans; nothing is on a device before be_ready() or a run. devices: those that are not used are not touched. parallel_for:
/// for the planning alone.
/// @throws DeviceError in a build without devices
template <class T>
std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization(const std::vector<Device>& devices,
                                                                      std::shared_ptr<const Analysis> analysis,
                                                                      const PlanRequest& request,
                                                                      const ParallelFor& parallel_for = {});

}  // namespace frond::gpu
