// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/tree_factorization.hpp"

#include <cmath>
#include <exception>
#include <utility>

#include "factors/place_factors.hpp"
#include "frond/analysis/pieces.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"
#include "submit/whole_tree/factor_tree.hpp"
#include "submit/whole_tree/plan_tree.hpp"

namespace frond::detail {
namespace {

/// Real operations.
template <class T>
double flops_of(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

/// Real operations of the longest chain of tasks on cores.
template <class T>
double chain_flops_of(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    return task_chain_flops(analysis.tree, analysis.mapping, analysis.factorization) * (is_complex<T> ? 4 : 1);
}

}  // namespace

/// By estimates of both times. Factors and blocks for the host cross the link into pinned memory.
template <class T>
bool TreeFactorization<T>::is_quicker() const {
    // The host's time for a factorization on a device, whatever the size of the tree (poisson3d 12: 2.8 ms on an H200,
    // 0.74 on a core). It counts only against a tree that is a single task on a core: several tasks lose about as much
    // between them, and the estimate for cores does not have that either.
    constexpr double beside_seconds = 2e-3;
    const Mapping& mapping = state_.analysis->mapping;
    const double beside = mapping.subtrees.size() == 1 && mapping.grids.empty() ? beside_seconds : 0;
    const double flops = flops_of(state_) / relative_speed<T>;
    const TreeWorkspace<T>& w = *workspace_;
    const double on_host =
        w.resident == nullptr ? 0.0 : static_cast<double>(w.bytes_of_factors_on_host() + w.resident->host_bytes());
    return beside + tree_seconds_on_device(rates(), flops, w.launches) + on_host / rates().pinned_link_bytes <
           tree_seconds_on_cores(rates(), flops, chain_flops_of(state_) / relative_speed<T>,
                                 state_.session->cpu_workers());
}

template <class T>
void TreeFactorization<T>::use_analysis(const std::shared_ptr<const Analysis>& analysis) {
    if (state_.analysis == analysis) return;
    state_.use_analysis(analysis);
    predicted_ = kept_prediction<T>(*analysis, state_.session->cpu_workers());
}

template <class T>
std::string TreeFactorization<T>::does_it_fit() {
    std::string reason =
        does_not_fit(*workspace_, *state_.session, predicted_, room_bytes_, options_.memory_budget_bytes);
    if (!reason.empty() && workspace_->has_core_pieces()) {
        leave_cores_out();
        reason = does_not_fit(*workspace_, *state_.session, predicted_, room_bytes_, options_.memory_budget_bytes);
    }
    if (reason.empty() && workspace_->resident->pieces().size() > 1)
        workspace_->most_block_copy_bytes =
            room_on_host(*workspace_, *state_.session, predicted_, options_.memory_budget_bytes) -
            bytes_on_host(*workspace_);
    state_.report.memory.peak_bytes = predicted_.fixed_bytes + bytes_on_host(*workspace_);
    state_.report.memory.factor_bytes = predicted_.factor_bytes;
    return reason;
}

/// Cores that help one device, where neither carriers nor pivots may depend on them otherwise. With static pivots a
/// core says nothing of |l_ij|, which the device bounds.
template <class T>
index_t TreeFactorization<T>::cores_for_pieces() const {
    const bool is_fixed = given_->options.deterministic && gpu::forced_speed_of_cores() == 0;
    const bool may =
        devices_.size() == 1 && !is_fixed && options_.place == FactorPlace::automatic && !state_.rest_of_tree;
    return may && state_.report.pivoting != Pivoting::static_pivots ? state_.session->cpu_workers() : 0;
}

/// Plans all pieces on the device, for this and later factorizations of the analysis.
template <class T>
void TreeFactorization<T>::leave_cores_out() {
    workspace_->without_cores = true;
    plan_anew(*workspace_);
    make_way();
}

template <class T>
std::string TreeFactorization<T>::why_not() {
    if (devices_.empty()) return "StarPU has no worker for the session's devices";
    if (state_.analysis->order == 0) return "the matrix is empty";
    have_room();
    state_.session->pinned_ahead().leave();
    use_analysis(workspace_->failed.analysis());
    const bool asked = options_.place == FactorPlace::device || given_->options.deterministic;
    pays_ = asked || is_quicker();
    if (!pays_) return "cores are expected to be quicker";
    if (workspace_->resident == nullptr) return "pivots of earlier factorizations failed there";
    return does_it_fit();
}

template <class T>
std::string TreeFactorization<T>::run() {
    state_.system.largest_entry = 0;
    const bool must = options_.place == FactorPlace::device, several = workspace_->resident->used_devices() > 1;
    const bool others_may_go = !pause_ && others_keep_bytes() > 0;
    std::string reason = try_once();
    if (workspace_ == nullptr && others_may_go) reason = try_with_more_room();
    if (workspace_ == nullptr && !gpu::has_lost_device()) reason = try_with_less_room();
    if (several && workspace_ == nullptr) reason = on_first_alone();  // another device may be in use
    if (workspace_ != nullptr && workspace_->failed_on_cores) reason = without_cores();
    if (must && workspace_ == nullptr) std::rethrow_exception(refused_);
    return workspace_ != nullptr && workspace_->pivots_failed ? mend_and_try(std::move(reason)) : reason;
}

/// When pivots failed in a piece on a core: all pieces on the device, after which mend_and_try can delay columns.
template <class T>
std::string TreeFactorization<T>::without_cores() {
    leave_cores_out();
    const std::string reason = does_it_fit();
    return reason.empty() ? try_once() : reason;
}

template <class T>
std::string TreeFactorization<T>::try_once() {
    const bool on_host = workspace_->factors_on_host();
    std::string reason = "a pivot was too small or an |l_ij| too large";
    workspace_->pivots_failed = workspace_->failed_on_cores = false;
    const std::vector<PartPlace> places = workspace_->places;
    try {
        // The memory that earlier factors left is freed where this tree cannot use it: the tables may need it.
        if (workspace_->kept == nullptr) state_.session->keep_parts(state_.session->take_parts(workspace_->places));
        const bool is_used_by_messages = state_.rest_of_tree.has_value();
        if (!on_host && !is_used_by_messages) state_.session->pinned_heap().trim();
        if (factor_tree(state_, *workspace_, rule_of_, options_.cancel, pivots_)) {
            workspace_->forget_round();
            return "";
        }
        if (workspace_->pivots_failed)
            workspace_->parts = std::move(state_.factors.parts);  // some may be the same in the next round
        else
            workspace_->forget_round();
    } catch (const DeviceError& error) {  // memory was refused
        refused_ = std::current_exception();
        reason = error.what();
        workspace_.reset();  // incomplete; the next factorization plans anew
    } catch (const OutOfMemory& error) {  // pinned memory was refused
        if (!on_host) throw;
        refused_ = std::current_exception();
        reason = error.what();
        workspace_.reset();
    }
    state_.factors.drop();
    state_.session->drop_parts(places);
    return reason;
}

template <class T>
void TreeFactorization<T>::keep(bool done) {
    const bool has_room = workspace_ != nullptr && workspace_->was_used && workspace_->resident != nullptr;
    if (!done) {
        use_analysis(given_);
        if (has_room && std::isfinite(state_.system.largest_entry)) workspace_.reset();  // tasks may need its memory
    }
    if (workspace_ != nullptr) workspace_->rooms.let_go();
    if (workspace_ != nullptr) state_.session->keep_workspace(std::move(workspace_));
}

template <class T>
std::vector<gpu::BlockBetween> TreeFactorization<T>::blocks_left() const {
    std::vector<gpu::BlockBetween> left = resident().blocks();
    const auto pieces = static_cast<index_t>(resident().pieces().size());
    std::erase_if(left, [pieces](const gpu::BlockBetween& block) { return block.used < pieces; });
    return left;
}

template <class T>
void TreeFactorization<T>::hold_blocks() {
    workspace_->rooms.hold();
}

template <class T>
std::pair<unsigned char*, unsigned> TreeFactorization<T>::place_of(const gpu::BlockBetween& block) const {
    const auto room = static_cast<std::size_t>(block.room);
    return {workspace_->rooms.begin()[room], workspace_->rooms.places()[room].node};
}

#define FROND_INSTANTIATE(T) template class TreeFactorization<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
