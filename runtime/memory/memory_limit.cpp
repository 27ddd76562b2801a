// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory_limit.hpp"

#include <algorithm>
#include <string>

#include "frond/base/error.hpp"
#include "memory/free_memory.hpp"

namespace frond::detail {

count_t budget_bytes(count_t option_bytes) {
    if (option_bytes < 0)
        throw InvalidArgument("memory_budget_bytes = " + std::to_string(option_bytes) +
                              "; it must be 0 (what the machine has free) or positive");
    return option_bytes > 0 ? option_bytes : free_memory_bytes() / 10 * 9;
}

count_t memory_limit(const PeakPrediction& predicted, count_t budget, bool given, bool delays) {
    if (predicted.sequential_bytes > budget)
        throw MemoryBudgetExceeded(
            "the factorization needs at least " + std::to_string(predicted.sequential_bytes) + " bytes (" +
                std::to_string(predicted.factor_bytes) + " of them factors); memory_budget_bytes is " +
                std::to_string(budget) + (given ? "" : ", nine tenths of the free memory") +
                "; raise it or choose an ordering with less fill",
            predicted.sequential_bytes, budget);
    const count_t for_units = delays ? std::max(predicted.sequential_bytes, budget - budget / 10) : budget;
    return std::min(predicted.parallel_bytes, for_units);
}

}  // namespace frond::detail
