// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "factor/tree_launches.hpp"
#include "factor/tree_on_devices.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "plans/step_plan.hpp"

namespace frond::gpu {
namespace {

template <class T>
class FactorizationOnDevices final : public ResidentFactorization<T> {
public:
    FactorizationOnDevices(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis,
                           count_t most_bytes, PivotSearch search, index_t cores)
        : tree_(devices, std::move(analysis), most_bytes, search, cores) {
        for (const SavedRoom& room : plan().saved.rooms())
            rooms_.push_back({(room.scalars * static_cast<count_t>(sizeof(T)) + 255) / 256 * 256, room.on_host,
                              room.made, room.used});
        for (const SubtreePlan::Range& range : plan().tree.ranges())
            pieces_.push_back({range.first_front, range.last_front, range.device, {}, {}});
        for (const SavedBlock& block : plan().saved.blocks()) {
            pieces_[at(block.made)].writes.push_back(RoomNumber{block.room});
            pieces_[at(block.used)].reads.push_back(RoomNumber{block.room});
        }
        for (TreePiece& piece : pieces_) {
            std::sort(piece.reads.begin(), piece.reads.end());
            std::sort(piece.writes.begin(), piece.writes.end());
        }
    }

    const std::shared_ptr<const Analysis>& analysis() const noexcept override { return tree_.analysis(); }
    std::size_t used_devices() const noexcept override { return tree_.devices().size(); }
    const std::vector<TreePiece>& pieces() const noexcept override { return pieces_; }
    const std::vector<index_t>& piece_of_fronts() const noexcept override { return plan().tree.range_of_fronts(); }
    const TypedVector<RoomNumber, BlockRoom>& rooms() const noexcept override { return rooms_; }
    bool is_in_parts() const noexcept override { return plan().cut_for_memory; }
    count_t strips() const noexcept override { return static_cast<count_t>(plan().strips.size()); }
    count_t host_bytes() const noexcept override { return plan().host_bytes(); }
    count_t host_traffic_bytes() const noexcept override { return plan().host_traffic_bytes(); }

    count_t bytes(std::size_t device) const noexcept override {
        return plan().bytes(static_cast<index_t>(device)) + bytes_of_values<T>(*analysis());
    }

    std::function<index_t(index_t, index_t)> columns_that_fit(count_t most_bytes) const override {
        const count_t beside = plan().bytes_of_tables() + bytes_of_values<T>(*analysis());
        // A thirty-second is for what tables grow by.
        const count_t most = std::max<count_t>(most_bytes - beside, 0) / static_cast<count_t>(sizeof(T)) / 32 * 31;
        return [most](index_t npiv, index_t nfront) { return columns_at_once(npiv, nfront, most); };
    }

    count_t pivot_bytes() const noexcept override {
        return (plan().pivot_scalars() * static_cast<count_t>(sizeof(T)) +
                plan().perm_size() * static_cast<count_t>(sizeof(index_t))) *
               static_cast<count_t>(used_devices());
    }

    count_t launches() const noexcept override {
        const count_t of_step = launches_of_step + (plan().search == PivotSearch::front ? launches_of_search : 0);
        return of_step * static_cast<count_t>(plan().steps.launches.size()) +
               launches_of_level * static_cast<count_t>(plan().tree.levels().size()) +
               launches_of_strip * static_cast<count_t>(plan().tree.strips().size());
    }

    T* host_values() override {
        const CurrentDevice current(tree_.devices().front().device);
        tree_.be_ready();
        return tree_.host_values();
    }

    void run(const PieceRun<T>& piece) override {
        const CurrentDevice current(tree_.devices()[at(pieces_[at(piece.piece)].device)].device);
        tree_.run(piece);
    }

    void put_pivots(index_t first_column, const std::vector<T>& pivots, const std::vector<index_t>& perm) override {
        tree_.put_pivots(first_column, pivots, perm);
    }

    bool finish(const PivotRule& rule, typename ResidentFactorization<T>::Answer& answer) override {
        failed_pivots_.clear();
        if (!std::isfinite(tree_.largest_entry())) return false;
        tree_.collect();
        if (tree_.has_failed()) {
            failed_pivots_ = tree_.failed_pivots();
            return false;
        }
        answer.perm.assign(tree_.perm(), tree_.perm() + plan().perm_size());
        answer.report = tree_.report(rule.threshold > 0);
        return true;
    }

    std::vector<double> front_seconds() const override { return tree_.front_seconds(); }
    double largest_entry() const override { return tree_.largest_entry(); }
    const std::vector<FailedPivot>& failed_pivots() const noexcept override { return failed_pivots_; }

private:
    const TreePlan<T>& plan() const noexcept { return tree_.plan(); }

    TreeOnDevices<T> tree_;
    std::vector<TreePiece> pieces_;
    TypedVector<RoomNumber, BlockRoom> rooms_;
    std::vector<FailedPivot> failed_pivots_;
};

}  // namespace

template <class T>
std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization(const std::vector<Device>& devices,
                                                                      std::shared_ptr<const Analysis> analysis,
                                                                      count_t most_bytes, PivotSearch search,
                                                                      index_t cores) {
    return std::make_unique<FactorizationOnDevices<T>>(devices, std::move(analysis), most_bytes, search, cores);
}

#define FROND_INSTANTIATE(T)                                                                                           \
    template std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization<T>(const std::vector<Device>&,      \
                                                                                      std::shared_ptr<const Analysis>, \
                                                                                      count_t, PivotSearch, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
