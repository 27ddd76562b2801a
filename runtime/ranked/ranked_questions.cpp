// SPDX-License-Identifier: BSD-3-Clause
// What is asked of factors beside solutions: rank 0 computes it, with the substitutions of all ranks.
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/condition.hpp"
#include "frond/null_space.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/ranked_solver.hpp"

namespace frond::detail {

template <class T>
ConditionEstimate RankedSolver<T>::condition(const std::atomic<bool>* cancel) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, {{"the call", "Solver::condition"}});
    expect_factors("estimate");
    ConditionEstimate estimate;
    tree_.conduct(cancel, [&](const std::atomic<bool>* stop) { estimate = condition_estimate(whole_.factors(), stop); });
    ranks_->broadcast(std::as_writable_bytes(std::span(&estimate, 1)), 0);
    return estimate;
}

template <class T>
NullSpace<T> RankedSolver<T>::null_vectors(Operation operation, const std::atomic<bool>* cancel) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, {{"the call", "Solver::null_vectors"},
                               {"operation", std::to_string(static_cast<int>(operation))}});
    expect_factors("find null vectors");
    NullSpace<T> space;
    tree_.conduct(cancel,
                  [&](const std::atomic<bool>* stop) { space = null_space(whole_.factors(), operation, stop); });
    const auto on_all_ranks = [&](auto& field) { ranks_->broadcast(std::as_writable_bytes(std::span(&field, 1)), 0); };
    on_all_ranks(space.rows);
    on_all_ranks(space.dimension);
    on_all_ranks(space.residual);
    return space;
}

#define FROND_INSTANTIATE(T)                                                                   \
    template ConditionEstimate RankedSolver<T>::condition(const std::atomic<bool>*);           \
    template NullSpace<T> RankedSolver<T>::null_vectors(Operation, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
