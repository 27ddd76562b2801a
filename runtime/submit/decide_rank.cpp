// SPDX-License-Identifier: BSD-3-Clause
#include "submit/decide_rank.hpp"

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/recorded_pivots.hpp"
#include "frond/codelets/time_models.hpp"
#include "solve/null_sizes.hpp"
#include "solve/solve_bound.hpp"
#include "submit/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace frond::detail {
namespace {

constexpr int most_repetitions = 3;

/// What the next factorization is to find.
struct NextTry {
    double bound = 0;  // of null columns; 0: the rank is decided
    std::size_t nullity = 0;  // fewer null columns are none that the bound may leave
    // Above 0: the bound is raised into a gap; this one, which leaves so many null columns, may be the better one.
    double without_gap = 0;
    std::size_t nullity_without_gap = 0;
    std::size_t explained = all;  // null columns that rounding explains

    static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
};

/// The largest of the `count` smallest remainders of null columns.
template <class T>
double largest_rest(const FactorsState<T>& state, index_t count) {
    std::vector<double> rest;
    for_each_second_pass<T>(state.factors, [&rest](const cpu::SecondPass<T>& l) {
        rest.insert(rest.end(), l.null_rest.begin(), l.null_rest.end());
    });
    std::sort(rest.begin(), rest.end());
    if (count <= 0 || rest.empty()) return 0;
    return rest[std::min(static_cast<std::size_t>(count), rest.size()) - 1];
}

template <class T>
NullSizes sizes_of_null_columns(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    const count_t wanted = state.solve_bytes->null_sizes(most_null_vectors);
    return null_sizes(state, solve_bound(state, 0, wanted), cancel);
}

/// Between the sizes of what rounding explains and of what it does not; 0: it explains all, or
/// sizes do not part them.
template <class T>
NextTry below_regular(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    const NullSizes sizes = sizes_of_null_columns(state, cancel);
    // Elimination may leave far more of a null column than the null vectors do. Where that is more
    // than what is left of a regular one, the latter is among the smallest and bars the way.
    const double rounding = std::max(sizes.largest_rounding, largest_rest(state, sizes.explained));
    const double regular = sizes.smallest_regular;
    constexpr double apart = 4, far_below = 1e-2, eps = std::numeric_limits<real_t<T>>::epsilon();
    if (!std::isfinite(regular)) return {};
    const auto explained = static_cast<std::size_t>(sizes.explained);
    if (!(regular > apart * rounding)) return {0, 0, 0, 0, explained};
    const double lower = std::max(rounding, std::min(eps * state.system.largest_entry, far_below * regular));
    // The sizes are those of A; columns were compared after their elimination, which may have
    // changed them a little.
    return {std::min(std::sqrt(regular) * std::sqrt(lower), state.report.pivots.null_below / apart), explained};
}

/// The factors are there: without memory for the question they stay as they are.
template <class T>
NextTry below_regular_if_room(const FactorsState<T>& state, const std::atomic<bool>* cancel) try {
    return below_regular(state, cancel);
} catch (const std::bad_alloc&) {
    return {};
} catch (const OutOfMemory&) {
    return {};
} catch (const MemoryBudgetExceeded&) {
    return {};
}

template <class T>
NextTry next_try(const FactorsState<T>& state, bool first, const std::atomic<bool>* cancel) {
    const JobGuard guard(*state.session);
    // Where scaling is off, small pivots may be those of small rows.
    const bool gap_counts = first && state.analysis->options.scaling != ScalingMethod::none;
    // Null columns that passed for pivots come first: once those that are regular are distinguished, nothing may be
    // left that asks for them.
    const double above = gap_counts ? bound_in_rank_gap(state) : 0;
    const NextTry below = below_regular_if_room(state, cancel);
    const std::size_t nullity = state.report.pivots.small_columns.size();
    if (above > 0 && below.bound > 0) return {above, nullity, below.bound, below.nullity};
    if (above > 0) return {above, nullity, state.report.pivots.null_below, nullity};
    return below;
}

/// Regular factors: a bound in a gap between all others and pivots that rounding has left of null columns. 0: none.
template <class T>
double above_hidden(const FactorsState<T>& state, const std::atomic<bool>* cancel) try {
    if (!may_have_rank_gap(state) || state.analysis->options.scaling == ScalingMethod::none) return 0;
    const JobGuard guard(*state.session);
    const double bound = bound_in_rank_gap(state);
    return bound > 0 && has_hidden_null_vector(state, cancel) ? bound : 0;
} catch (const std::bad_alloc&) {  // factors without room for this question stay as they are
    return 0;
} catch (const OutOfMemory&) {
    return 0;
}

/// Whether rounding explains every null column.
template <class T>
bool explains_all(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    if (state.report.status != FactorStatus::singular) return true;
    const JobGuard guard(*state.session);
    const std::size_t explained = below_regular_if_room(state, cancel).explained;
    return explained >= state.report.pivots.small_columns.size();
}

/// Pivots that decay steadily have gaps, too: whether what rounding explains is nearer to the null
/// columns that were there before the gap was taken for one.
bool is_nearer_to_fewer(std::size_t explained, std::size_t fewer, std::size_t more) {
    return explained != NextTry::all && 2 * explained < fewer + more;
}

template <class T>
void factor_again(FactorsState<T>& state, const FactorOptions& options) {
    FactorReport fresh;
    fresh.pivoting = state.report.pivoting;
    fresh.stale_matching = state.report.stale_matching;
    fresh.work.scaling_kept = state.report.work.scaling_kept;
    fresh.work.repeated_for_rank = true;
    const FactorReport before = std::exchange(state.report, std::move(fresh));
    state.factors.drop();
    run_factorization(state, options);
    // The time is that of all, too.
    state.report.work.flops += before.work.flops;
    state.report.work.tasks += before.work.tasks;
    state.report.work.subtree_tasks += before.work.subtree_tasks;
    state.report.work.pieces_again += before.work.pieces_again;
    state.report.memory.peak_bytes = std::max(state.report.memory.peak_bytes, before.memory.peak_bytes);
}

}  // namespace

template <class T>
void decide_rank(FactorsState<T>& state, FactorOptions options) {
    while (has_replayed_run()) factor_again(state, options);  // of a simulation, which has no numbers
    if (simulates() || state.report.pivoting != Pivoting::threshold || options.null_pivot_tolerance > 0) return;
    const auto repeat = [&](double bound) {
        options.null_pivot_tolerance = std::min(1.0, bound / state.system.largest_entry);
        factor_again(state, options);
    };
    if (state.report.status == FactorStatus::success) {
        const double before = state.report.pivots.null_below, bound = above_hidden(state, options.cancel);
        if (!(bound > 0)) return;
        repeat(bound);
        if (!explains_all(state, options.cancel)) repeat(before);
        return;
    }
    double bound_without_gap = 0;  // 0: there is none to go back to
    std::size_t nullity_without_gap = 0;
    for (int k = 0; k < most_repetitions && state.report.status == FactorStatus::singular; ++k) {
        const double before = state.report.pivots.null_below;
        const std::size_t nullity = state.report.pivots.small_columns.size();
        count_examination(state,
                          state.solve_bytes->null_sizes(std::min(most_null_vectors, static_cast<index_t>(nullity))));
        const NextTry next = next_try(state, k == 0, options.cancel);
        if (!(next.bound > 0) || !(state.system.largest_entry > 0)) {
            if (bound_without_gap > 0 && is_nearer_to_fewer(next.explained, nullity_without_gap, nullity))
                repeat(bound_without_gap);
            return;
        }
        bound_without_gap = next.without_gap;
        nullity_without_gap = next.nullity_without_gap;
        repeat(next.bound);
        if (state.report.pivots.small_columns.size() >= next.nullity) continue;
        repeat(before);  // a null column passed for a pivot
        return;
    }
}

#define FROND_INSTANTIATE(T) template void decide_rank<T>(FactorsState<T>&, FactorOptions);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
