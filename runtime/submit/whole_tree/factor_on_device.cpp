// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/factor_on_device.hpp"

#include <chrono>
#include <cmath>
#include <string>

#include "frond/base/instantiate.hpp"
#include "session/callers_function.hpp"
#include "session/trace_span.hpp"
#include "submit/whole_tree/tree_factorization.hpp"

namespace frond::detail {

template <class T>
DeviceOutcome factor_on_device(FactorsState<T>& state, PeakPrediction& predicted,
                               const std::function<PivotRule()>& rule_of, const FactorOptions& options,
                               PivotReport& pivots) {
    const auto start = std::chrono::steady_clock::now();
    const auto refuse = [&](const std::string& reason) {
        if (state.session->has_devices()) state.report.place.reason = reason;
        if (options.place == FactorPlace::device)
            throw InvalidArgument("factor_place = device, but " + reason + "; use automatic or tasks");
        return DeviceOutcome::tasks;
    };
    const bool cancelled = options.cancel != nullptr && options.cancel->load();
    if (cancelled) return DeviceOutcome::tasks;
    if (options.place == FactorPlace::tasks) return refuse("factor_place = tasks");
    if (state.system.dense() && state.session->has_devices()) return refuse("a dense matrix is one front on tiles");
    if (!state.session->has_devices()) return refuse("the session has no device");
    TreeFactorization<T> attempt(state, predicted, rule_of, options, pivots);
    HostSpan span("plan pieces");
    std::string reason = attempt.why_not();
    span.end();
    const bool is_tried = reason.empty();
    if (is_tried) reason = attempt.run();
    attempt.keep(reason.empty());
    if (is_tried && !std::isfinite(state.system.largest_entry)) return DeviceOutcome::tasks;
    if (!reason.empty()) {
        refuse(reason);
        return attempt.pays() ? DeviceOutcome::tasks : DeviceOutcome::cores;
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double flops = state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
    if (options.progress) {
        const CallersFunction in_progress;
        options.progress({flops, flops, elapsed.count()});
    }
    return DeviceOutcome::done;
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template DeviceOutcome factor_on_device<T>(FactorsState<T>&, PeakPrediction&, const std::function<PivotRule()>&, \
                                               const FactorOptions&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
