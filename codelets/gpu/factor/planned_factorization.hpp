// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "factor/cut/square_sizes.hpp"
#include "factor/plan_on_devices.hpp"
#include "factor/tree_launches.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "plans/step_plan.hpp"

namespace frond::gpu {

/// What is known of the factorization of a tree before anything is on a device.
template <class T>
class PlannedFactorization : public ResidentFactorization<T> {
public:
    PlannedFactorization(std::size_t devices, std::shared_ptr<const Analysis> analysis, const PlanRequest& request,
                         const ParallelFor& parallel_for)
        : analysis_(std::move(analysis)), plan_(plan_on_devices<T>(*analysis_, devices, request, parallel_for)) {
        for (const SavedRoom& room : plan_.saved.rooms())
            rooms_.push_back({(room.scalars * static_cast<count_t>(sizeof(T)) + 255) / 256 * 256, room.on_host,
                              room.made, room.used});
        for (const SubtreePlan::Range& range : plan_.tree.ranges()) add_piece(range);
        for (const SubtreePlan::SharedFront& shared : plan_.tree.shared()) add_shared(shared);
        for (const SavedBlock& block : plan_.saved.blocks()) {
            pieces_[at(block.made)].writes.push_back(RoomNumber{block.room});
            if (at(block.used) < pieces_.size()) pieces_[at(block.used)].reads.push_back(RoomNumber{block.room});
        }
        for (TreePiece& piece : pieces_) {
            std::sort(piece.reads.begin(), piece.reads.end());
            std::sort(piece.writes.begin(), piece.writes.end());
        }
    }

    const std::shared_ptr<const Analysis>& analysis() const noexcept override { return analysis_; }
    std::size_t used_devices() const noexcept override { return at(plan_.tree.devices()); }
    const std::vector<TreePiece>& pieces() const noexcept override { return pieces_; }
    const std::vector<SharedFrontBlocks>& shared_fronts() const noexcept override { return shared_fronts_; }
    const std::vector<index_t>& piece_of_fronts() const noexcept override { return plan_.tree.range_of_fronts(); }
    const TypedVector<RoomNumber, BlockRoom>& rooms() const noexcept override { return rooms_; }
    std::vector<BlockBetween> blocks() const override {
        std::vector<BlockBetween> all;
        for (const SavedBlock& block : plan_.saved.blocks())
            all.push_back({block.front, block.made, block.used, RoomNumber{block.room},
                           block.scalars * static_cast<count_t>(sizeof(T))});
        return all;
    }
    bool is_in_parts() const noexcept override { return plan_.cut_for_memory; }
    count_t strips() const noexcept override { return static_cast<count_t>(plan_.strips.size()); }
    count_t host_bytes() const noexcept override { return plan_.host_bytes(); }
    count_t host_traffic_bytes() const noexcept override { return plan_.host_traffic_bytes(); }

    count_t bytes(std::size_t device) const noexcept override {
        return plan_.bytes(static_cast<index_t>(device)) + bytes_of_values<T>(*analysis_);
    }

    std::function<index_t(index_t, index_t)> columns_that_fit(count_t most_bytes) const override {
        const count_t beside = plan_.bytes_of_tables() + bytes_of_values<T>(*analysis_);
        // A thirty-second is for what tables grow by.
        const count_t most = std::max<count_t>(most_bytes - beside, 0) / static_cast<count_t>(sizeof(T)) / 32 * 31;
        return [most](index_t npiv, index_t nfront) { return columns_at_once(npiv, nfront, most); };
    }

    count_t pivot_bytes() const noexcept override {
        return (plan_.pivot_scalars() * static_cast<count_t>(sizeof(T)) +
                plan_.perm_size() * static_cast<count_t>(sizeof(index_t))) *
               static_cast<count_t>(used_devices());
    }

    count_t launches() const noexcept override {
        return launches_of(0, plan_.steps.launches.size(), static_cast<count_t>(plan_.tree.levels().size()),
                           static_cast<count_t>(plan_.tree.strips().size()));
    }

protected:
    const TreePlan<T>& plan() const noexcept { return plan_; }

private:
    /// The launches of the steps [first, last) of all levels.
    count_t launches_of(std::size_t first, std::size_t last, count_t levels, count_t strips) const {
        count_t launches = launches_of_level * levels + launches_of_strip * strips;
        for (std::size_t s = first; s < last; ++s)
            launches += launches_of_step + (plan_.steps.launches[s].searched_rows > 0 ? launches_of_search : 0);
        return launches;
    }

    void add_piece(const SubtreePlan::Range& range) {
        TreePiece piece{range.first_front, range.last_front, range.device, {}, {}};
        for (index_t l = range.first_level; l < range.last_level; ++l) {
            const SubtreePlan::Level& level = plan_.tree.levels()[at(l)];
            piece.square_bytes += level.scalars * static_cast<count_t>(sizeof(T));
            piece.launches +=
                launches_of(at(level.first_launch), at(level.last_launch), 1, level.last_strip - level.first_strip);
        }
        piece.levels = range.last_level - range.first_level;
        piece.strip_columns = range.strip_columns;
        pieces_.push_back(std::move(piece));
    }

    /// The block of its columns is read by its parent's pieces where it is.
    void add_shared(const SubtreePlan::SharedFront& shared) {
        SharedFrontBlocks front{shared.range, shared.own_blocks, shared.tail, {}};
        const index_t parent = analysis_->tree.fronts[at(shared.front)].parent;
        for (index_t b = 0; b < shared.blocks(); ++b) {
            const RoomNumber room{static_cast<index_t>(rooms_.all().size())};
            const index_t device = plan_.tree.device_of_block(b);
            rooms_.push_back({(plan_.block_bytes(shared, b) + 255) / 256 * 256, false, device, TreePiece::by_all});
            front.blocks.push_back({room, device, shared.cut[at(b)], shared.cut[at(b) + 1]});
            pieces_[at(shared.range)].writes.push_back(room);
            if (b >= shared.own_blocks && parent >= 0)
                pieces_[at(plan_.tree.range_of_fronts()[at(parent)])].reads.push_back(room);
        }
        if (shared.has_tail()) {
            const RoomNumber room{static_cast<index_t>(rooms_.all().size())};
            rooms_.push_back({(plan_.block_bytes(shared, shared.blocks()) + 255) / 256 * 256, false, 0, 0});
            front.blocks.push_back({room, 0, shared.cut[at(shared.tail)], shared.cut[at(shared.own_blocks)]});
            pieces_[at(shared.range)].writes.push_back(room);
        }
        shared_fronts_.push_back(std::move(front));
    }

    std::shared_ptr<const Analysis> analysis_;
    TreePlan<T> plan_;
    std::vector<SharedFrontBlocks> shared_fronts_;
    std::vector<TreePiece> pieces_;
    TypedVector<RoomNumber, BlockRoom> rooms_;
};

}  // namespace frond::gpu
