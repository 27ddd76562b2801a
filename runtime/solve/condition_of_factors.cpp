// SPDX-License-Identifier: BSD-3-Clause
#include "solve/condition_of_factors.hpp"

#include "factors/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/factor_solve_pair.hpp"
#include "solve/solve_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace frond::detail {
namespace {

template <class T>
constexpr double epsilon_of = std::numeric_limits<real_t<T>>::epsilon();

/// min l_jj^2 / |a_jj|, which scaling does not change: L L^T of a matrix as it is.
template <class T>
double smallest_share_of_diagonal(const FactorsState<T>& state) {
    const std::vector<double> scale = scale_by_diagonal(*state.system.matrix);
    double smallest = std::numeric_limits<double>::infinity();
    for_each_pivot_block<T>(state.factors, [&](const PivotBlock<T>& b) {
        for (index_t k = 0; k < b.block.cols; ++k) {
            const index_t column = state.analysis->column_order[at(b.first_column + k)];
            const double l = std::abs(b.block(k, k)) * scale[at(column)];
            smallest = std::min(smallest, l * l);
        }
    });
    return smallest;
}

/// If a null vector is spread over all n unknowns, the last pivot shows n / condition alone, and 1000
/// times more is on the safe side. Pivots need not show even that: those of a triangle with a
/// diagonal of ones are all 1.
template <class T>
bool pivots_ask(const FactorsState<T>& state) {
    const FactorReport& report = state.report;
    constexpr double least_in_eps = 1e6, in_n_eps = 1e4, most = 1e-3;
    const double share = std::min(most, epsilon_of<T> * std::max(least_in_eps, in_n_eps * state.analysis->order));
    const bool unscaled = state.kind() == Factorization::llt && state.system.scaling->column.empty();
    const bool far_apart = report.pivots.smallest < share * report.pivots.largest;
    // On a device the diagonal lies among all other factors, and the hint costs little.
    if (!unscaled || state.session->has_devices()) return far_apart;
    return smallest_share_of_diagonal(state) < share;
}

/// Three substitutions with so few entries take a fraction of a millisecond; that is several times as long as such a
/// system takes otherwise, so they are made once for an analysis.
constexpr count_t few_factor_entries = 50'000;

template <class T>
bool hint_is_due(const FactorsState<T>& state) {
    if (state.report.status != FactorStatus::success) return false;
    const bool is_small = state.analysis->cost.factor_entries <= few_factor_entries;
    return (is_small && state.condition_hint.is_first_of_analysis) || pivots_ask(state);
}

}  // namespace

template <class T>
double skeel_condition(const FactorsState<T>& state, const std::atomic<bool>* cancel, const OneNormOptions& options) {
    if (state.analysis->order == 0) return 1;
    if (state.report.status == FactorStatus::singular) return std::numeric_limits<double>::infinity();
    const LinearSystem<T>& system = state.system.linear_system(Operation::none);
    FactorSolvePair<T> pair(state, Operation::none, cancel);
    const bool scaled = !system.inverse_solution_scale().empty();
    if (scaled || state.kind() != Factorization::llt)
        return frond::skeel_condition<T>(system, pair.inverse(), pair.adjoint(), options);
    const std::vector<double> scale = scale_by_diagonal(*state.system.matrix);
    const LinearSystem<T> scaled_by_diagonal(state.system.applied(Operation::none), &scale);
    return frond::skeel_condition<T>(scaled_by_diagonal, pair.inverse(), pair.adjoint(), options);
}

template <class T>
std::optional<double> condition_hint(const FactorsState<T>& state, count_t given_bytes, count_t held_bytes,
                                     const std::atomic<bool>* cancel) {
    ConditionHint& hint = state.condition_hint;
    const std::lock_guard lock(hint.mutex);
    if (!hint.is_due) hint.is_due = hint_is_due(state);
    if (!*hint.is_due) return std::nullopt;
    if (!hint.value) {
        const count_t bytes = held_bytes + state.solve_bytes->condition_hint();
        if (bytes > solve_bound(state, given_bytes, bytes)) return std::nullopt;
        OneNormOptions options;
        options.max_rounds = 1;
        hint.value = skeel_condition(state, cancel, options);
    }
    return hint.value;
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template double skeel_condition<T>(const FactorsState<T>&, const std::atomic<bool>*, const OneNormOptions&); \
    template std::optional<double> condition_hint<T>(const FactorsState<T>&, count_t, count_t,                   \
                                                     const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
