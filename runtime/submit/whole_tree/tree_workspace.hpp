// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "factors/factors_state.hpp"
#include "factors/place_factors.hpp"
#include "tasks/piece/core_piece.hpp"
#include "tasks/piece/factor_piece.hpp"
#include "frond/base/host_block.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "memory/predict_peak.hpp"
#include "submit/whole_tree/failed_pivots.hpp"
#include "submit/whole_tree/next_round/kept_pieces.hpp"

namespace frond::detail {

/// A contribution block, and the memory where another device uses it.
struct MovedBlock {
    starpu_data_handle_t handle = nullptr;
    unsigned node = 0;
};

/// What the tasks of fronts that all devices do read while they run: which blocks and parts they have.
struct ColumnLists {
    std::deque<std::vector<index_t>> blocks;
    std::deque<std::vector<gpu::PartNumber>> parts;
    std::deque<std::vector<MovedBlock>> moved;
};

/// What the factorization of a whole tree on devices keeps for the next one of the same analysis.
template <class T>
struct TreeWorkspace final : DeviceWorkspace {
    explicit TreeWorkspace(std::shared_ptr<const Analysis> of) : failed(std::move(of)) {}

    FailedPivots failed;
    std::unique_ptr<gpu::ResidentFactorization<T>>
        resident;  // of failed.analysis(); null: the analysis is left to tasks
    std::shared_ptr<const FactorLayout<T>> layout;  // of the same
    std::vector<PartPlace> places;  // of layout's parts
    std::vector<PieceParts> parts_of_piece;  // as resident->pieces()
    // From the first run on:
    FactorParts rooms;  // resident's
    FactorParts parts;  // of the factors, between a round in which pivots failed and the next
    std::unique_ptr<KeptPieces<T>> kept;  // what the next round takes over; null: nothing
    HostBlock values_memory;  // pinned
    DataHandle values;  // [entries of the matrix] in it, of the next factorization
    std::vector<DataHandle> order_of_pieces;  // [used devices] of no data: pieces of a device follow each other
    std::vector<cpu::PiecePivots<T>> core_pivots;  // of resident's pieces on cores, which are the first ones
    std::vector<DataHandle> core_pivot_handles;  // of these
    std::vector<std::vector<MovedBlock>> moved_blocks;  // of each of resident's pieces
    ColumnLists column_lists;  // of the last run
    index_t cores = 0;  // that may be given pieces
    ParallelFor parallel_for;  // for planning, in a job; empty: on the calling thread
    bool is_of_branches = false;  // of a tree: fronts stay as they are
    bool without_cores = false;  // no core is given one: pivots failed there, or the host has no room
    bool was_used = false;  // has memory on the devices
    bool has_factored = false;
    bool pivots_failed = false, failed_on_cores = false;  // the last time
    index_t times_given_up = 0, factorizations_to_skip = 0;
    count_t launches = 0;
    count_t room_bytes = 0;  // that it was planned for
    count_t most_block_copy_bytes = 0;  // of the host, see TreeRun
    count_t refused_bytes = 0;  // a larger room, for which memory was refused
    std::vector<gpu::Device> devices;
    std::size_t offered = 0;  // devices to choose from; `devices` may be the first alone

    count_t device_bytes() const noexcept override { return was_used && resident != nullptr ? resident->bytes() : 0; }
    const void* subject() const noexcept override { return failed.given().get(); }
    bool factors_on_host() const noexcept { return bytes_of_factors_on_host() > 0; }  // some of them
    count_t bytes_of_factors_on_host() const noexcept {
        count_t bytes = 0;
        for (const PartPlace& place : places) bytes += place.on_host ? place.bytes : 0;
        return bytes;
    }
    bool has_core_pieces() const noexcept {
        return resident != nullptr && resident->pieces().front().device == gpu::TreePiece::on_cores;
    }
    /// Frees the memory. True: the workspace still has facts that the next factorization needs: which pivots failed, or
    /// that tasks factor this analysis.
    bool forget_memory() noexcept override {
        forget();
        const bool has_failed = failed.analysis() != failed.given() && !failed.is_only_split();
        return has_failed || without_cores || failed.searches() || times_given_up > 0;
    }
    /// What is left of a round in which pivots failed.
    void forget_round() noexcept {
        parts = FactorParts();
        kept.reset();
        for (PieceParts& of_piece : parts_of_piece) of_piece.kept.clear();
    }
    /// Frees the memory.
    void forget() noexcept {
        values.release();
        values_memory.release();
        order_of_pieces.clear();
        core_pivot_handles.clear();
        core_pivots.clear();
        rooms = FactorParts();
        forget_round();
        layout = nullptr;
        resident.reset();
        was_used = has_factored = false;
    }
};

/// The one that the session kept, if it is of this analysis and as good as a new one; else a new one. It has the tree whole
/// on the devices, where it fits with its factors; else in pieces, with factors on the host as far as the devices have no
/// room for them. Where it does not fit on several devices, the first one alone is tried. devices: as gpu::devices(), the
/// first with room_bytes, others with room_for_tree. cores: that may be given pieces next to one device.
template <class T>
std::unique_ptr<TreeWorkspace<T>> tree_workspace(const FactorsState<T>& state, const std::vector<gpu::Device>& devices,
                                                 count_t room_bytes, index_t cores);

/// Whether it is done part by part, or factors go to the host, for lack of room.
template <class T>
bool is_restricted(const TreeWorkspace<T>& workspace);

/// Frees the memory, and plans failed.analysis() anew, for the same devices.
template <class T>
void plan_anew(TreeWorkspace<T>& workspace);
/// Leaves the analysis to tasks for its next 2^k - 1 factorizations, where this is the k-th time.
template <class T>
void give_up(TreeWorkspace<T>& workspace);

/// Bytes of the host: of factors there, of contribution blocks that are saved there, and of what cores make.
template <class T>
count_t bytes_on_host(const TreeWorkspace<T>& workspace);
/// How many there may be. budget_bytes: of the host, 0: what is free.
template <class T>
count_t room_on_host(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                     count_t budget_bytes);
/// Empty when it fits devices and host, else what it lacks. budget_bytes: of the host, 0: what is free.
template <class T>
std::string does_not_fit(const TreeWorkspace<T>& workspace, SessionState& session, const PeakPrediction& predicted,
                         count_t room_bytes, count_t budget_bytes);

}  // namespace frond::detail
