// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "memory/predict_peak.hpp"
#include "session/trace_span.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {

/// All units of the tree, or this rank's share of it, by tasks. All that can be seen before the work is refused there.
/// start, finish: what the calling thread does before and after, for models of its time.
/// Returns the bytes held at the end.
template <class T>
count_t factor_by_tasks(FactorsState<T>& state, const PeakPrediction& predicted, Runner runner,
                        const FactorOptions& options, PivotReport& pivots, HostWork& start,
                        std::optional<HostWork>& finish);

}  // namespace frond::detail
