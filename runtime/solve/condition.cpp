// SPDX-License-Identifier: BSD-3-Clause
#include "frond/condition.hpp"

#include <cmath>
#include <limits>
#include <new>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/block_views.hpp"
#include "solve/factor_solve_pair.hpp"
#include "solve/condition_of_factors.hpp"

namespace frond {
namespace {

template <class T>
double inverse_norm(const detail::FactorsState<T>& state, const std::atomic<bool>* cancel) {
    if (state.report.status == FactorStatus::singular) return std::numeric_limits<double>::infinity();
    const detail::JobGuard guard(*state.session);
    detail::FactorSolvePair<T> pair(state, Operation::none, cancel);
    return estimate_one_norm<T>(state.analysis->order, pair.inverse(), pair.adjoint());
}

}  // namespace

template <class T>
ConditionEstimate condition_estimate(const Factors<T>& factors, const std::atomic<bool>* cancel) try {
    expect_solvable(factors.report().status);
    const detail::FactorsState<T>& state = *detail::state_of(factors);
    state.session->expect_running();
    ConditionEstimate estimate;
    estimate.norm_1 = state.system.norm_1();
    estimate.inverse_norm_1 = inverse_norm(state, cancel);
    const bool singular = estimate.norm_1 == 0 || std::isinf(estimate.inverse_norm_1);
    estimate.reciprocal_condition = state.analysis->order == 0 ? 1
                                    : singular                 ? 0
                                                               : 1 / estimate.inverse_norm_1 / estimate.norm_1;
    const detail::JobGuard guard(*state.session);
    estimate.skeel_condition = detail::skeel_condition(state, cancel);
    estimate.ill_conditioned = leaves_no_digit<T>(estimate.skeel_condition);
    return estimate;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T) \
    template ConditionEstimate condition_estimate<T>(const Factors<T>&, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
