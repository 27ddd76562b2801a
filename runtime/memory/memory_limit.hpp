// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "memory/predict_peak.hpp"

namespace frond::detail {

/// The bytes a factorization may hold: what was predicted for parallel work, cut down to the budget.
/// budget_bytes 0: the free memory of the machine less a tenth.
/// @throws MemoryBudgetExceeded before any work when even one front after the other does not fit.
count_t memory_limit(const PeakPrediction& predicted, count_t budget_bytes);

}  // namespace frond::detail
