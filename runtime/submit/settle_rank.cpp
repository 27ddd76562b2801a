// SPDX-License-Identifier: BSD-3-Clause
#include "submit/settle_rank.hpp"

#include "data/rank_gap.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/null_sizes.hpp"
#include "submit/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace frond::detail {
namespace {

constexpr int most_repetitions = 3;

/// Between the sizes of what rounding explains and of what it does not; 0: it explains all, or
/// sizes do not part them.
template<class T>
double bound_below_regular(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    const NullSizes sizes = null_sizes(state, cancel);
    const double regular = sizes.smallest_regular, rounding = sizes.largest_rounding;
    constexpr double apart = 4, far_below = 1e-2, eps = std::numeric_limits<real_t<T>>::epsilon();
    if (!std::isfinite(regular) || !(regular > apart * rounding)) return 0;
    const double lower =
        std::max(rounding, std::min(eps * state.largest_entry, far_below * regular));
    // The sizes are those of A; columns were compared after their elimination, which may have
    // changed them a little.
    return std::min(std::sqrt(regular) * std::sqrt(lower), state.report.null_pivot / apart);
}

/// The bound of the next factorization; 0: the rank is settled.
template<class T>
double next_bound(const FactorsState<T>& state, bool first, const std::atomic<bool>* cancel) {
    const JobGuard guard(*state.session);
    const double lower = bound_below_regular(state, cancel);
    // Where scaling is off, small pivots may be those of small rows.
    const bool gap_counts = first && state.analysis->options.scaling != ScalingMethod::none;
    return lower > 0 || !gap_counts ? lower : bound_in_rank_gap(state);
}

template<class T>
void factor_again(FactorsState<T>& state, const FactorOptions& options) {
    FactorReport fresh;
    fresh.pivoting = state.report.pivoting;
    fresh.stale_matching = state.report.stale_matching;
    fresh.scaling_kept = state.report.scaling_kept;
    fresh.repeated_for_rank = true;
    const FactorReport before = std::exchange(state.report, std::move(fresh));
    state.drop_factors();
    run_factorization(state, options);
    // The time is that of all, too.
    state.report.flops += before.flops;
    state.report.tasks += before.tasks;
    state.report.subtree_tasks += before.subtree_tasks;
    state.report.peak_bytes = std::max(state.report.peak_bytes, before.peak_bytes);
}

} // namespace

template<class T>
void settle_rank(FactorsState<T>& state, FactorOptions options) {
    if (state.report.pivoting != Pivoting::threshold || options.null_pivot_tolerance > 0) return;
    for (int k = 0; k < most_repetitions && state.report.status == FactorStatus::singular; ++k) {
        const double bound = next_bound(state, k == 0, options.cancel);
        if (!(bound > 0) || !(state.largest_entry > 0)) return;
        options.null_pivot_tolerance = std::min(1.0, bound / state.largest_entry);
        factor_again(state, options);
    }
}

#define FROND_INSTANTIATE(T) template void settle_rank<T>(FactorsState<T>&, FactorOptions);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::detail
