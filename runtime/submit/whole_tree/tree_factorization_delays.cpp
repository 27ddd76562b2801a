// SPDX-License-Identifier: BSD-3-Clause
// What the attempt does where pivots fail: a wider search, or columns that are eliminated later.
#include "frond/base/instantiate.hpp"
#include "submit/whole_tree/delay_rounds.hpp"
#include "submit/whole_tree/tree_factorization.hpp"
#include "submit/whole_tree/next_round/plan_next_round.hpp"

namespace frond::detail {

/// Plans the next round. Not empty: why it does not fit. Pieces that are the same have no task, unless there is too
/// little room for what others need of them.
template <class T>
std::string TreeFactorization<T>::plan_round(const std::shared_ptr<const Analysis>& before) {
    plan_next_round(*workspace_, before, *state_.session);
    make_way();
    use_analysis(workspace_->failed.analysis());
    std::string reason = does_it_fit();
    if (!reason.empty() && workspace_->kept != nullptr) {
        plan_anew(*workspace_);
        make_way();
        use_analysis(workspace_->failed.analysis());
        reason = does_it_fit();
    }
    const index_t kept = workspace_->kept == nullptr ? 0 : workspace_->kept->count();
    if (reason.empty())
        state_.report.work.pieces_again += static_cast<count_t>(workspace_->resident->pieces().size()) - kept;
    return reason;
}

/// Fronts in which pivots fail are searched more widely and columns eliminated later, until all pivots are good or that does
/// not help.
template <class T>
std::string TreeFactorization<T>::mend_and_try(std::string reason) {
    DelayRounds rounds;
    const bool is_whole_tree = !state_.rest_of_tree;  // a column that leaves a branch is its parent's, on a core
    while (is_whole_tree && workspace_->pivots_failed && rule_of_().threshold > 0) {
        const std::shared_ptr<const Analysis> before = workspace_->failed.analysis();
        const std::vector<gpu::FailedPivot>& failed = workspace_->resident->failed_pivots();
        const std::string why = rounds.go_on(static_cast<count_t>(failed.size())) ? workspace_->failed.mend(failed)
                                                                                  : "delayed columns did not mend that";
        if (!why.empty()) {
            reason += " (" + why + ")";
            break;
        }
        reason = plan_round(before);
        if (!reason.empty()) return reason;
        reason = try_once();
        if (workspace_ != nullptr && workspace_->failed_on_cores) reason = without_cores();
        if (workspace_ == nullptr || !workspace_->pivots_failed) return reason;
    }
    give_up(*workspace_);
    return reason;
}

#define FROND_INSTANTIATE(T) template std::string TreeFactorization<T>::mend_and_try(std::string);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
