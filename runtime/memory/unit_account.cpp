// SPDX-License-Identifier: BSD-3-Clause
#include "memory/unit_account.hpp"

#include <string>

#include "frond/base/error.hpp"

namespace frond::detail {

void UnitAccount::take(count_t bytes) {
    count_t needed_bytes = 0;
    if (!budget_.try_add_unforeseen(bytes, needed_bytes)) refuse_bytes(budget_, front_, nfront_, bytes, needed_bytes);
}

void refuse_bytes(const MemoryBudget& budget, index_t front, index_t nfront, count_t bytes, count_t needed_bytes) {
    throw MemoryBudgetExceeded(
        "front " + std::to_string(front) + " of order " + std::to_string(nfront) + " takes " +
            std::to_string(bytes) + " bytes; that makes " + std::to_string(needed_bytes) + ", the budget has " +
            std::to_string(budget.most_bytes()) + "; columns that pivoting set back hold " +
            std::to_string(budget.unforeseen_bytes()) + " bytes more than predicted, " +
            std::to_string(budget.delayed_columns()) +
            " columns were delayed to a parent so far; raise memory_budget_bytes, or lower pivot_threshold",
        needed_bytes, budget.most_bytes());
}

}  // namespace frond::detail
