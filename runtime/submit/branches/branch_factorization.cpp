// SPDX-License-Identifier: BSD-3-Clause
#include "submit/branches/branch_factorization.hpp"

#include <algorithm>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"
#include "submit/branches/branch_pivots.hpp"
#include "submit/room_for_tiles.hpp"

namespace frond::detail {
namespace {

/// Sizes are proportional to the largest entry.
PivotRule rule_for(PivotRule rule, double largest_entry, double other) {
    if (!(largest_entry > 0)) return rule;
    rule.smallest_pivot *= other / largest_entry;
    rule.zero_pivot *= other / largest_entry;
    return rule;
}

}  // namespace

template <class T>
BranchFactorization<T>::BranchFactorization(FactorsState<T>& whole, const Input& input, FactorPlace place)
    : whole_(whole), branches_(whole.factors.ownership.share->branches()), entries_(input.entries), place_(place) {
    options_.memory_budget_bytes = input.memory_budget_bytes;
    options_.cancel = input.cancel;
    options_.place = place;
    rule_of_ = [this, rule = input.rule] {
        return rule_for(rule, whole_.system.largest_entry, state_->system.largest_entry);
    };
}

/// The scaled entries of the branches, in the order of their entry map. Fronts that follow each other have them in one run.
template <class T>
std::vector<std::span<const T>> BranchFactorization<T>::values_of_branches() const {
    const std::vector<count_t>& begin = whole_.analysis->entry_map.front_begin;
    std::vector<std::span<const T>> runs;
    for (std::size_t k = 0; k < branches_.front.size(); ++k) {
        const index_t f = branches_.front[k];
        const std::span<const T> of_front(entries_ + begin[at(f)], entries_ + begin[at(f) + 1]);
        if (k > 0 && branches_.front[k - 1] + 1 == f)
            runs.back() = {runs.back().data(), runs.back().size() + of_front.size()};
        else
            runs.push_back(of_front);
    }
    return runs;
}

template <class T>
std::shared_ptr<FactorsState<T>> BranchFactorization<T>::state_of_branches() const {
    auto state = std::make_shared<FactorsState<T>>(whole_.session, branches_.forest);
    state->report.pivoting = whole_.report.pivoting;
    state->rest_of_tree =
        RestOfTree<T>{whole_.system.largest_entry, bytes_for_tiles<T>(*whole_.analysis), values_of_branches()};
    state->system.matrix = std::make_shared<SparseMatrix<T>>();
    return state;
}

template <class T>
void BranchFactorization<T>::make() {
    if (branches_.is_empty() || place_ == FactorPlace::tasks) return whole_.session->forget_kept();
    state_ = state_of_branches();
    predicted_ = kept_prediction<T>(*branches_.forest, whole_.session->cpu_workers());
    attempt_.emplace(*state_, predicted_, rule_of_, options_, pivots_);
    std::string reason = attempt_->why_not();
    if (reason.empty()) reason = attempt_->run();
    state_->rest_of_tree->values.clear();
    if (reason.empty()) {
        take_blocks();
        leaves_room_ = is_room_left();
        take_pivots();
        state_->factors.may_be_stored = true;
        whole_.factors.ownership.branches = state_;
        whole_.report.place.devices_used = state_->report.place.devices_used;
        return;
    }
    attempt_->keep(false);
    attempt_.reset();
    whole_.session->forget_kept();
    whole_.report.place.reason = reason;
    if (place_ == FactorPlace::device)
        throw InvalidArgument("factor_place = device, but for the branches of a rank " + reason +
                              "; use automatic or tasks");
}

template <class T>
void BranchFactorization<T>::take_blocks() {
    attempt_->hold_blocks();
    for (const gpu::BlockBetween& block : attempt_->blocks_left()) {
        const index_t ncb = branches_.forest->tree.fronts[at(block.front)].ncb();
        const auto [begin, node] = attempt_->place_of(block);
        blocks_[branches_.front[at(block.front)]] = {{reinterpret_cast<T*>(begin), ncb, ncb, ncb}, node};
    }
}

/// A block is one piece of data, which a task that assembles from it brings to its device as a whole. Where there is no room,
/// StarPU's workers would wait for each other's memory for ever.
template <class T>
bool BranchFactorization<T>::is_room_left() const {
    const std::vector<gpu::Device>& devices = attempt_->devices();
    for (std::size_t d = 0; d < devices.size(); ++d) {
        count_t largest = 0;
        for (const auto& [front, block] : blocks_)
            if (block.node != devices[d].memory_node)
                largest = std::max(largest, static_cast<count_t>(block.view.rows) * block.view.cols);
        if (attempt_->bytes_beside(d) < largest * static_cast<count_t>(sizeof(T))) return false;
    }
    return true;
}

template <class T>
void BranchFactorization<T>::take_pivots() {
    const gpu::ResidentFactorization<T>& resident = attempt_->resident();
    ListedPivots<T>& own = whole_.factors.ownership.own_pivots;
    add_columns_of_rank(*whole_.analysis, *whole_.factors.ownership.share, whole_.factors.ownership.share->rank(),
                        own.places);
    own.places.sort();
    own.resize(whole_.kind());
    list_pivots_of_branches<T>(*whole_.analysis, branches_, {resident.pivots(), resident.perm()}, own,
                               parallel_for_on(*whole_.session, "pivots"));
    whole_.factors.ownership.units_of_devices = units_of_branches(*whole_.analysis, branches_);
}

template <class T>
MadeBlock<T> BranchFactorization<T>::block(index_t front) const {
    const auto found = blocks_.find(front);
    return found == blocks_.end() ? MadeBlock<T>{} : found->second;
}

template <class T>
void BranchFactorization<T>::collect(FactorReport& report, PivotReport& pivots) const {
    if (whole_.factors.ownership.branches == nullptr) return;
    pivots += pivots_;
    report.work.flops += branches_.forest->cost.flops * (is_complex<T> ? 4 : 1);
    report.work.tasks += state_->report.work.tasks;
    report.place.bytes_to_devices += state_->report.place.bytes_to_devices;
    report.place.bytes_from_devices += state_->report.place.bytes_from_devices;
    const std::vector<double>& seconds = state_->report.work.front_seconds;
    for (std::size_t k = 0; k < std::min(seconds.size(), branches_.front.size()); ++k)
        report.work.front_seconds[at(branches_.front[k])] = seconds[k];
}

template <class T>
void BranchFactorization<T>::end() noexcept {
    if (!attempt_) return;
    try {
        attempt_->keep(whole_.factors.ownership.branches != nullptr);  // not of a run that was cancelled or failed
    } catch (...) {  // what it keeps is made anew the next time
    }
    attempt_.reset();
    blocks_.clear();
}

#define FROND_INSTANTIATE(T) template class BranchFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
