// SPDX-License-Identifier: BSD-3-Clause
#include "submit/device_attempt.hpp"

#include <cmath>
#include <exception>
#include <utility>

#include "factors/place_factors.hpp"
#include "frond/analysis/task_chain.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"
#include "submit/factor_tree.hpp"
#include "submit/plan_tree.hpp"

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
bool DeviceAttempt<T>::is_quicker() const {
    // Of the host, for a factorization on a device, whatever the size of the tree (poisson3d 12: 2.8 ms on an H200, 0.74 on
    // a core). It counts only against a tree that is a single task on a core: several tasks lose about as much between
    // them, and the estimate for cores does not have that either.
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
void DeviceAttempt<T>::use_analysis(const std::shared_ptr<const Analysis>& analysis) {
    if (state_.analysis == analysis) return;
    state_.use_analysis(analysis);
    predicted_ = predict_peak<T>(*analysis, state_.session->cpu_workers());
}

template <class T>
std::string DeviceAttempt<T>::does_it_fit() {
    std::string reason =
        does_not_fit(*workspace_, *state_.session, predicted_, room_bytes_, options_.memory_budget_bytes);
    if (!reason.empty() && workspace_->has_core_pieces()) {
        leave_cores_out();
        reason = does_not_fit(*workspace_, *state_.session, predicted_, room_bytes_, options_.memory_budget_bytes);
    }
    state_.report.memory.peak_bytes = predicted_.fixed_bytes + bytes_on_host(*workspace_);
    state_.report.memory.factor_bytes = predicted_.factor_bytes;
    return reason;
}

/// Cores beside one device, where neither places nor pivots may depend on them otherwise. With static pivots a core
/// says nothing of |l_ij|, which the device bounds.
template <class T>
index_t DeviceAttempt<T>::cores_for_pieces() const {
    const bool is_fixed = given_->options.deterministic && gpu::forced_speed_of_cores() == 0;
    const bool may = devices_.size() == 1 && !is_fixed && options_.place == FactorPlace::automatic;
    return may && state_.report.pivoting != Pivoting::static_pivots ? state_.session->cpu_workers() : 0;
}

/// Plans all pieces on the device, for this and later factorizations of the analysis.
template <class T>
void DeviceAttempt<T>::leave_cores_out() {
    workspace_->without_cores = true;
    plan_anew(*workspace_, state_.matrix->pattern);
    make_way();
}

/// For the room that is left beside what solves of other factors hold on the device, and beside what ended solves have left
/// there for the next ones.
template <class T>
void DeviceAttempt<T>::plan() {
    SessionState& session = *state_.session;
    if (workspace_ != nullptr) session.keep_workspace(std::move(workspace_));
    room_bytes_ = room_of(devices_.front()) - session.held_bytes() - session.spare_solve_bytes();
    workspace_ = tree_workspace(state_, devices_, room_bytes_, cores_for_pieces());
}

template <class T>
count_t DeviceAttempt<T>::others_keep_bytes() const {
    SessionState& session = *state_.session;
    return session.held_bytes() + session.spare_solve_bytes() + session.workspace_bytes() + session.kept_bytes(false);
}

/// Frees what others_keep_bytes counts. Factors stay.
template <class T>
void DeviceAttempt<T>::give_more_room() {
    SessionState& session = *state_.session;
    pause_.emplace(session);
    session.forget_spare_solves();
    session.forget_workspaces();
    session.forget_parts(workspace_ == nullptr ? std::vector<PartPlace>{} : workspace_->places);
}

/// Where the tree does not fit beside what others keep on the device, so that it would be cut, or factors would go to the
/// host, that is freed, their factors last, and the tree is planned once more.
template <class T>
void DeviceAttempt<T>::have_room() {
    plan();
    if (is_restricted(*workspace_) && !pause_ && others_keep_bytes() > 0) {
        give_more_room();
        plan();
    }
    const count_t held = state_.session->held_bytes();
    if (is_restricted(*workspace_) && pause_ && held > 0) {
        state_.session->store_held_factors(options_.cancel);
        if (state_.session->held_bytes() < held) plan();
    }
    if (workspace_->resident != nullptr) make_way();
}

/// Frees what the session keeps for later factorizations, where the plan does not fit beside it.
template <class T>
void DeviceAttempt<T>::make_way() {
    SessionState& session = *state_.session;
    const count_t kept = session.workspace_bytes() + session.kept_bytes(false, workspace_->places);
    if (bytes_on_device(*workspace_, 0) + kept <= room_bytes_) return;
    session.forget_workspaces();
    session.forget_parts(workspace_->places);
}

template <class T>
std::string DeviceAttempt<T>::why_not() {
    if (devices_.empty()) return "StarPU has no worker for the session's devices";
    if (state_.analysis->order == 0) return "the matrix is empty";
    have_room();
    use_analysis(workspace_->failed.analysis());
    const bool asked = options_.place == FactorPlace::device || given_->options.deterministic;
    pays_ = asked || is_quicker();
    if (!pays_) return "cores are expected to be quicker";
    if (workspace_->resident == nullptr) return "pivots of earlier factorizations failed there";
    return does_it_fit();
}

template <class T>
std::string DeviceAttempt<T>::run() {
    state_.largest_entry = 0;
    const bool must = options_.place == FactorPlace::device, several = workspace_->resident->used_devices() > 1;
    const bool others_may_go = !pause_ && others_keep_bytes() > 0;
    std::string reason = try_once();
    if (workspace_ == nullptr && others_may_go) reason = try_with_more_room();
    if (workspace_ == nullptr && !gpu::has_lost_device()) reason = try_with_less_room();
    if (several && workspace_ == nullptr) reason = on_first_alone();  // another device may be in use
    if (workspace_ != nullptr && workspace_->failed_on_cores) reason = without_cores();
    if (must && workspace_ == nullptr) std::rethrow_exception(refused_);
    return workspace_ != nullptr && workspace_->pivots_failed ? delay_and_try(std::move(reason)) : reason;
}

/// When memory was refused: solves of other factors may have taken it after the plan was made. What others keep is freed,
/// and the tree is planned once more.
template <class T>
std::string DeviceAttempt<T>::try_with_more_room() {
    give_more_room();
    use_analysis(given_);
    have_room();
    if (workspace_->resident == nullptr) return "pivots of earlier factorizations failed there";
    use_analysis(workspace_->failed.analysis());
    const std::string reason = does_it_fit();
    return reason.empty() ? try_once() : reason;
}

/// When memory was refused again: less of it was free than StarPU had reported. Plans for four fifths of the room.
template <class T>
std::string DeviceAttempt<T>::try_with_less_room() {
    const count_t refused_bytes = room_bytes_;
    use_analysis(given_);
    room_bytes_ = room_bytes_ / 5 * 4;
    workspace_ = tree_workspace(state_, devices_, room_bytes_, cores_for_pieces());
    workspace_->refused_bytes = refused_bytes;
    if (workspace_->resident == nullptr) return "pivots of earlier factorizations failed there";
    use_analysis(workspace_->failed.analysis());
    const std::string reason = does_it_fit();
    if (reason.empty()) return try_once();
    workspace_.reset();
    return reason;
}

/// When memory of several devices was refused.
template <class T>
std::string DeviceAttempt<T>::on_first_alone() {
    use_analysis(given_);
    workspace_ = tree_workspace(state_, {devices_.front()}, room_bytes_, 0);
    workspace_->offered = devices_.size();
    const std::string reason = does_it_fit();
    return reason.empty() ? try_once() : reason;
}

/// When pivots failed in a piece on a core: all pieces on the device, after which delay_and_try can delay columns.
template <class T>
std::string DeviceAttempt<T>::without_cores() {
    leave_cores_out();
    const std::string reason = does_it_fit();
    return reason.empty() ? try_once() : reason;
}

template <class T>
std::string DeviceAttempt<T>::try_once() {
    const bool on_host = workspace_->factors_on_host();
    std::string reason = "a pivot was too small or an |l_ij| too large";
    workspace_->pivots_failed = workspace_->failed_on_cores = false;
    const std::vector<PartPlace> places = workspace_->places;
    try {
        // Of the memory that earlier factors left, what this tree cannot use is freed: the tables may need it.
        state_.session->keep_parts(state_.session->take_parts(workspace_->places));
        if (!on_host) state_.session->pinned_heap().trim();
        if (factor_tree(state_, *workspace_, rule_of_, options_.cancel, pivots_)) return "";
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
    state_.drop_factors();
    state_.session->drop_parts(places);
    return reason;
}

/// Of L U, in the whole front, unless that is done already.
template <class T>
bool DeviceAttempt<T>::may_search_wider() const {
    return state_.kind() == Factorization::lu && workspace_->search != gpu::PivotSearch::front;
}

/// Searches for pivots in the whole front, and begins again without delayed columns.
template <class T>
std::string DeviceAttempt<T>::search_wider(DelayRounds& rounds) {
    rounds.begin_search();
    workspace_->search = gpu::PivotSearch::front;
    workspace_->failed = FailedPivots(workspace_->failed.given());
    return "";
}

/// Prepares the next round. Not empty: why there is none.
template <class T>
std::string DeviceAttempt<T>::delay_or_search(DelayRounds& rounds) {
    const std::vector<gpu::FailedPivot>& pivots = workspace_->resident->failed_pivots();
    const bool may_search = may_search_wider();
    switch (rounds.after(static_cast<count_t>(pivots.size()), may_search)) {
        case DelayRounds::Next::search_wider:
            return search_wider(rounds);
        case DelayRounds::Next::give_up:
            return "delayed columns did not mend that";
        case DelayRounds::Next::delay:
            break;
    }
    const std::string why = workspace_->failed.delay(state_.matrix->pattern, pivots);
    return !why.empty() && may_search ? search_wider(rounds) : why;
}

/// Columns whose pivots fail are eliminated later, until all pivots are good or a later place does not help.
template <class T>
std::string DeviceAttempt<T>::delay_and_try(std::string reason) {
    DelayRounds rounds;
    while (workspace_->pivots_failed && rule_of_().threshold > 0) {
        const std::string why = delay_or_search(rounds);
        if (!why.empty()) {
            reason += " (" + why + ")";
            break;
        }
        plan_anew(*workspace_, state_.matrix->pattern);
        make_way();
        use_analysis(workspace_->failed.analysis());
        reason = does_it_fit();
        if (!reason.empty()) return reason;
        reason = try_once();
        if (workspace_ != nullptr && workspace_->failed_on_cores) reason = without_cores();
        if (workspace_ == nullptr || !workspace_->pivots_failed) return reason;
    }
    give_up(*workspace_);
    return reason;
}

template <class T>
void DeviceAttempt<T>::keep(bool done) {
    const bool has_room = workspace_ != nullptr && workspace_->was_used && workspace_->resident != nullptr;
    if (!done) {
        use_analysis(given_);
        if (has_room && std::isfinite(state_.largest_entry)) workspace_.reset();  // tasks may need its memory
    }
    if (workspace_ != nullptr) state_.session->keep_workspace(std::move(workspace_));
}

#define FROND_INSTANTIATE(T) template class DeviceAttempt<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
