// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory_limit.hpp"

#include <algorithm>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
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
        throw MemoryBudgetExceeded("the factorization needs at least " + std::to_string(predicted.sequential_bytes) +
                                       " bytes (" + std::to_string(predicted.factor_bytes) +
                                       " of them factors); memory_budget_bytes is " + std::to_string(budget) +
                                       (given ? "" : ", nine tenths of the free memory") +
                                       "; raise it or choose an ordering with less fill",
                                   predicted.sequential_bytes, budget);
    const count_t for_units = delays ? std::max(predicted.sequential_bytes, budget - budget / 10) : budget;
    return std::min(predicted.parallel_bytes, for_units);
}

MemoryBudget factorization_budget(const PeakPrediction& predicted, count_t option_bytes, bool delays) {
    const count_t without_question = too_small_to_ask - host_heap().used_bytes();
    if (option_bytes == 0 && predicted.parallel_bytes <= without_question)
        return MemoryBudget(predicted.parallel_bytes, without_question, [] { return budget_bytes(0); });
    const count_t most = budget_bytes(option_bytes);
    return MemoryBudget(memory_limit(predicted, most, option_bytes > 0, delays), most);
}

}  // namespace frond::detail
