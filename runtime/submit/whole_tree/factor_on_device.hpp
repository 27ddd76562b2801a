// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {

enum class DeviceOutcome : std::uint8_t {
    done,
    tasks,  // on the device and the cores
    cores,  // tasks on cores alone are expected to be quicker
};

/// The whole factorization on the session's devices, as one task. Else it does not fit or pay there, a value is not
/// finite, or pivots were not plainly good, wherever their columns were eliminated; state has no factors then, and tasks
/// are to do it. Where that helped, state has an analysis with columns delayed, and predicted is of that.
/// rule_of(): for state.system.largest_entry, which is set before. Sets state.report.memory.peak_bytes.
/// @throws InvalidArgument with options.place = device in place of other outcomes
template <class T>
DeviceOutcome factor_on_device(FactorsState<T>& state, PeakPrediction& predicted,
                               const std::function<PivotRule()>& rule_of, const FactorOptions& options,
                               PivotReport& pivots);

}  // namespace frond::detail
