// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "memory/memory_budget.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {

/// memory_budget_bytes as given; 0: the free memory of the machine less a tenth.
/// @throws InvalidArgument when negative
count_t budget_bytes(count_t option_bytes);

/// The bytes that units are admitted within: what was predicted for parallel work, cut down to the budget.
/// given: the budget is the caller's, not what the machine has free; for messages.
/// delays: a tenth of the budget stays in reserve for columns that pivoting delays, as far as the rest is
/// enough for one front after the other.
/// @throws MemoryBudgetExceeded before any work when even one front after the other does not fit.
count_t memory_limit(const PeakPrediction& predicted, count_t budget, bool given, bool delays);

/// The budget of a factorization on cores. Without one of the caller's, the system is not asked how much memory is free
/// while this factorization and all that the heap holds are small.
/// @throws what budget_bytes and memory_limit throw
MemoryBudget factorization_budget(const PeakPrediction& predicted, count_t option_bytes, bool delays);

}  // namespace frond::detail
