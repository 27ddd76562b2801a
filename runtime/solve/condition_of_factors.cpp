// SPDX-License-Identifier: BSD-3-Clause
#include "solve/condition_of_factors.hpp"

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/factor_solve_pair.hpp"
#include "solve/solve_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

namespace frond::detail {
namespace {

template <class T>
constexpr double epsilon_of = std::numeric_limits<real_t<T>>::epsilon();

/// If a null vector is spread over all n unknowns, the last pivot shows n / condition alone, and 1000
/// times more is on the safe side. Pivots need not show even that: those of a triangle with a
/// diagonal of ones are all 1.
template <class T>
bool pivots_ask(const FactorsState<T>& state) {
    const FactorReport& report = state.report;
    constexpr double least_in_eps = 1e6, in_n_eps = 1e4, most = 1e-3;
    const double share = std::min(most, epsilon_of<T> * std::max(least_in_eps, in_n_eps * state.analysis->order));
    const bool definite = state.kind() == Factorization::llt;
    // No entry of the diagonal is larger than the largest one of all. On a device the diagonal lies among all other
    // factors, and the hint costs little.
    if (!definite || state.session->has_devices()) return report.pivots.smallest < share * report.pivots.largest;
    return report.pivots.smallest < share * state.system.largest_entry &&
           compare_with_diagonal(state).least_share < share;
}

template <class T>
bool pivots_ask_once(const FactorsState<T>& state) {
    std::optional<bool>& ask = state.condition_hint.pivots_ask;
    if (!ask) ask = pivots_ask(state);
    return *ask;
}

/// Three substitutions with so few entries take a fraction of a millisecond; that is several times as long as such a
/// system takes otherwise, so they are made once for an analysis.
constexpr count_t few_factor_entries = 50'000;

template <class T>
bool hint_is_due(const FactorsState<T>& state) {
    if (state.report.status != FactorStatus::success) return false;
    const bool is_small = state.analysis->cost.factor_entries <= few_factor_entries;
    return (is_small && state.condition_hint.is_first_of_analysis) || pivots_ask_once(state);
}

}  // namespace

template <class T>
double skeel_condition(const FactorsState<T>& state, const std::atomic<bool>* cancel, const OneNormOptions& options) {
    if (state.analysis->order == 0) return 1;
    if (state.report.status == FactorStatus::singular) return std::numeric_limits<double>::infinity();
    const LinearSystem<T>& system = state.system.linear_system(Operation::none);
    FactorSolvePair<T> pair(state, Operation::none, cancel);
    const bool scaled = !system.inverse_solution_scale().empty();
    const auto with_scale = [&](const std::vector<double>& scale) {
        const LinearSystem<T> scaled_system(state.system.applied(Operation::none), &scale);
        return frond::skeel_condition<T>(scaled_system, pair.inverse(), pair.adjoint(), options);
    };
    if (!scaled && state.kind() == Factorization::llt) return with_scale(scale_by_diagonal(*state.system.matrix));
    const double estimate = frond::skeel_condition<T>(system, pair.inverse(), pair.adjoint(), options);
    if (!leaves_no_digit<T>(estimate)) return estimate;
    return std::min(estimate, with_scale(scale_by_columns(*state.system.matrix, system.row_sums())));
}

namespace {

/// Under the lock of the hint.
template <class T>
std::optional<double> estimate(const FactorsState<T>& state, count_t given_bytes, count_t held_bytes,
                               const std::atomic<bool>* cancel) {
    ConditionHint& hint = state.condition_hint;
    if (!hint.value) {
        const count_t bytes = held_bytes + state.solve_bytes->condition_hint();
        if (bytes > solve_bound(state, given_bytes, bytes)) return std::nullopt;
        OneNormOptions options;
        options.max_rounds = 1;
        hint.value = skeel_condition(state, cancel, options);
    }
    return hint.value;
}

}  // namespace

template <class T>
std::optional<double> condition_hint(const FactorsState<T>& state, count_t given_bytes, count_t held_bytes,
                                     const std::atomic<bool>* cancel) {
    ConditionHint& hint = state.condition_hint;
    const std::lock_guard lock(hint.mutex);
    if (!hint.is_due) hint.is_due = hint_is_due(state);
    if (!*hint.is_due) return std::nullopt;
    return estimate(state, given_bytes, held_bytes, cancel);
}

template <class T>
bool may_be_semidefinite(const FactorsState<T>& state, const std::atomic<bool>* cancel) try {
    const std::lock_guard lock(state.condition_hint.mutex);
    if (!pivots_ask_once(state)) return false;
    const std::optional<double> condition = estimate(state, 0, 0, cancel);
    constexpr double left_by_rounding = 0.5;
    return condition && !(*condition * epsilon_of<T> < left_by_rounding);
} catch (const std::bad_alloc&) {
    return false;
} catch (const OutOfMemory&) {
    return false;
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template double skeel_condition<T>(const FactorsState<T>&, const std::atomic<bool>*, const OneNormOptions&); \
    template std::optional<double> condition_hint<T>(const FactorsState<T>&, count_t, count_t,                   \
                                                     const std::atomic<bool>*);                                  \
    template bool may_be_semidefinite<T>(const FactorsState<T>&, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
