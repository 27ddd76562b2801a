// SPDX-License-Identifier: BSD-3-Clause
// Whether the next unit has its bytes; those that devices have made need fewer.
#include "submit/fronts/submit_units.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "submit/fronts/exchange/exchange_blocks.hpp"

namespace frond::detail {

template <class T>
UnitBytes UnitSubmission<T>::predicted_bytes(index_t front) const {
    const index_t s = analysis_.mapping.subtree_of_front[at(front)];
    return s >= 0 ? subtree_bytes<T>(analysis_, analysis_.mapping.subtrees[at(s)])
                  : front_bytes<T>(analysis_, front, context_.share);
}

template <class T>
typename UnitSubmission<T>::Admission UnitSubmission<T>::admit_next() {
    if (pending_tasks() > most_pending_tasks_) return Admission::many_tasks;
    const index_t f = units_[admitted_];
    if (context_.made != nullptr && context_.made->has(f)) return admit_made(f);
    const UnitBytes bytes = predicted_bytes(f);
    if (!context_.budget->try_reserve(bytes.sum() + received_bytes(f))) return Admission::no_memory;
    start_run(f, bytes);
    if (threshold_) make_account(run_of(f));
    ++admitted_;
    submit(f);
    return Admission::done;
}

template <class T>
void UnitSubmission<T>::make_account(FrontRun<T>& run) {
    const bool subtree = analysis_.mapping.subtree_of_front[at(run.front)] >= 0;
    run.account = std::make_unique<UnitAccount>(
        *context_.budget, newly_deferred_,
        NamedFront{.number = run.front, .order = analysis_.tree.fronts[at(run.front)].nfront}, subtree);
    run.account->set_last_try(context_.job->runs_at_once());  // there is nothing to wait for
    const bool others_wait = context_.share != nullptr || context_.loading != nullptr;
    if (others_wait) run.account->never_wait();
}

/// Admits a unit that devices have made. Only its block counts, until its parent's tasks have assembled it.
template <class T>
typename UnitSubmission<T>::Admission UnitSubmission<T>::admit_made(index_t front) {
    const auto [block, node] = context_.made->block(front);
    UnitBytes bytes;
    if (node == STARPU_MAIN_RAM)
        bytes.contribution = static_cast<count_t>(block.rows) * block.cols * static_cast<count_t>(sizeof(T));
    if (!context_.budget->try_reserve(bytes.sum())) return Admission::no_memory;
    ++admitted_;
    if (block.data == nullptr) return Admission::done;
    start_run(front, bytes);
    FrontRun<T>& run = run_of(front);
    if (threshold_) make_account(run);
    run.first_order = context_.job->submitted();
    run.contribution_uses.store(uses_of_contribution(front));
    run.is_made = true;
    run.contribution.data = block.data;
    run.contribution.node = node;
    run.contribution.handle = DataHandle::matrix(block, node);
    if (threshold_) run.delayed_handle = DataHandle::object(run.delayed);
    if (is_sent(context_, front)) send_block(context_, run);
    run.end_order = context_.job->submitted();
    return Admission::done;
}

template <class T>
void UnitSubmission<T>::start_run(index_t front, UnitBytes bytes) {
    runs_[at(front)] = std::make_unique<FrontRun<T>>();
    FrontRun<T>& run = run_of(front);
    run.front = front;
    run.job = context_.job;
    run.budget = context_.budget;
    run.bytes = bytes;
    run.waiting_sends = &waiting_sends_;
}

/// The bytes of the blocks that come from other ranks, which wait there until the front is submitted.
template <class T>
count_t UnitSubmission<T>::received_bytes(index_t front) const {
    const AssemblyTree& tree = analysis_.tree;
    count_t bytes = 0;
    for (count_t c = tree.child_begin[at(front)]; context_.messages != nullptr && c < tree.child_begin[at(front) + 1];
         ++c)
        bytes += context_.messages->received_bytes(tree.children[at(c)]);
    return bytes;
}

#define FROND_INSTANTIATE(T)                                                               \
    template UnitBytes UnitSubmission<T>::predicted_bytes(index_t) const;                  \
    template typename UnitSubmission<T>::Admission UnitSubmission<T>::admit_next();        \
    template void UnitSubmission<T>::make_account(FrontRun<T>&);                           \
    template typename UnitSubmission<T>::Admission UnitSubmission<T>::admit_made(index_t); \
    template void UnitSubmission<T>::start_run(index_t, UnitBytes);                        \
    template count_t UnitSubmission<T>::received_bytes(index_t) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
