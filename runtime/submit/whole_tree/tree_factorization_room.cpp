// SPDX-License-Identifier: BSD-3-Clause
// How the attempt gets room on the devices: next to what others keep there, instead of that, or with less than was
// reported.
#include "frond/base/instantiate.hpp"
#include "memory/tree_room.hpp"
#include "submit/whole_tree/tree_factorization.hpp"
#include "submit/whole_tree/plan_tree.hpp"

namespace frond::detail {

/// For the room that is left next to what solves of other factors hold on the device, and next to what ended solves
/// have left there for the next ones.
template <class T>
void TreeFactorization<T>::plan() {
    SessionState& session = *state_.session;
    if (workspace_ != nullptr) session.keep_workspace(std::move(workspace_));
    room_bytes_ = room_for_tree(devices_.front()) - session.held_bytes() - session.spare_solve_bytes();
    if (state_.rest_of_tree) room_bytes_ -= state_.rest_of_tree->device_bytes;
    workspace_ = tree_workspace(state_, devices_, room_bytes_, cores_for_pieces());
}

template <class T>
count_t TreeFactorization<T>::others_keep_bytes() const {
    SessionState& session = *state_.session;
    return session.held_bytes() + session.spare_solve_bytes() + session.workspace_bytes() + session.kept_bytes(false);
}

template <class T>
count_t TreeFactorization<T>::bytes_beside(std::size_t device) const {
    const bool is_used = device < workspace_->resident->used_devices();
    const count_t planned = is_used ? bytes_on_device(*workspace_, device) : 0;
    if (device == 0)
        return room_bytes_ - planned - state_.session->workspace_bytes() - state_.session->kept_bytes(false);
    return room_for_tree(devices_[device]) - state_.rest_of_tree->device_bytes - planned;
}

/// Frees what others_keep_bytes counts. Factors stay.
template <class T>
void TreeFactorization<T>::give_more_room() {
    pause_.emplace(*state_.session);
    state_.session->forget_kept(workspace_ == nullptr ? std::vector<PartPlace>{} : workspace_->places);
}

/// Where the tree does not fit next to what others keep on the device, so that it would be cut, or factors would go to
/// the host, that is freed, their factors last, and the tree is planned once more.
template <class T>
void TreeFactorization<T>::have_room() {
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

/// Frees what the session keeps for later factorizations, if the plan does not fit next to it.
template <class T>
void TreeFactorization<T>::make_way() {
    SessionState& session = *state_.session;
    const count_t kept = session.workspace_bytes() + session.kept_bytes(false, workspace_->places);
    if (bytes_on_device(*workspace_, 0) + kept <= room_bytes_) return;
    session.forget_workspaces();
    session.forget_parts(workspace_->places);
}

/// When memory was refused: solves of other factors may have taken it after the plan was made. What others keep is freed,
/// and the tree is planned once more.
template <class T>
std::string TreeFactorization<T>::try_with_more_room() {
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
std::string TreeFactorization<T>::try_with_less_room() {
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
std::string TreeFactorization<T>::on_first_alone() {
    use_analysis(given_);
    workspace_ = tree_workspace(state_, {devices_.front()}, room_bytes_, 0);
    workspace_->offered = devices_.size();
    const std::string reason = does_it_fit();
    return reason.empty() ? try_once() : reason;
}

#define FROND_INSTANTIATE(T)                                                \
    template void TreeFactorization<T>::have_room();                        \
    template void TreeFactorization<T>::make_way();                         \
    template count_t TreeFactorization<T>::others_keep_bytes() const;       \
    template count_t TreeFactorization<T>::bytes_beside(std::size_t) const; \
    template std::string TreeFactorization<T>::try_with_more_room();        \
    template std::string TreeFactorization<T>::try_with_less_room();        \
    template std::string TreeFactorization<T>::on_first_alone();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
