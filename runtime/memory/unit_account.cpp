// SPDX-License-Identifier: BSD-3-Clause
#include "memory/unit_account.hpp"

#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "memory/deferred_units.hpp"

namespace frond::detail {

void UnitAccount::take(count_t bytes) {
    count_t sum_bytes = 0;
    if (ensured_ && bytes <= credit_bytes_) {
        credit_bytes_ -= bytes;
        budget_.use_ensured(bytes);
    } else if (!budget_.try_add_unforeseen(bytes, sum_bytes)) {
        refuse(repeatable_, bytes, sum_bytes);
    }
    taken_bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

void UnitAccount::give(count_t bytes) noexcept {
    taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    if (ensured_) {
        credit_bytes_ += bytes;
        budget_.use_ensured(-bytes);
    } else {
        budget_.release_unforeseen(bytes);
    }
}

/// At the last try the takes decide, one by one: `bytes` are a bound only.
void UnitAccount::ensure(count_t bytes) {
    if (repeatable_ || last_try_ || !waits_) return;
    count_t sum_bytes = 0;
    if (!budget_.try_ensure(bytes, sum_bytes)) refuse(true, bytes, sum_bytes);
    ensured_ = true;
    credit_bytes_ = bytes;
}

void UnitAccount::end_ensured() noexcept {
    last_try_ = false;
    if (!ensured_) return;
    ensured_ = false;
    budget_.release_ensured(std::exchange(credit_bytes_, 0));
}

void UnitAccount::refuse(bool may_wait, count_t bytes, count_t sum_bytes) {
    if (!may_wait || last_try_ || !waits_) refuse_bytes(budget_, front_, bytes, sum_bytes);
    needed_bytes_ = bytes + (repeatable_ ? taken_bytes_.load(std::memory_order_relaxed) : 0);
    throw Deferred();
}

void UnitAccount::wait_for_memory() noexcept {
    if (repeatable_) budget_.release_unforeseen(taken_bytes_.exchange(0));
    deferred_.add(front_.number);
}

void refuse_bytes(const MemoryBudget& budget, NamedFront front, count_t bytes, count_t needed_bytes) {
    throw MemoryBudgetExceeded(
        "front " + std::to_string(front.number) + " of order " + std::to_string(front.order) + " takes " +
            std::to_string(bytes) + " bytes; that makes " + std::to_string(needed_bytes) + ", the budget has " +
            std::to_string(budget.most_bytes()) + "; columns that pivoting set back hold " +
            std::to_string(budget.unforeseen_bytes()) + " bytes more than predicted, " +
            std::to_string(budget.delayed_columns()) +
            " columns were delayed to a parent so far; raise memory_budget_bytes, or lower pivot_threshold",
        needed_bytes, budget.most_bytes());
}

}  // namespace frond::detail
