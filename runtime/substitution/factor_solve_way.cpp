// SPDX-License-Identifier: BSD-3-Clause
// Which way a substitution on cores goes: by one thread alone, or by tasks, and how many right-hand sides go together.
#include <algorithm>
#include <utility>

#include "factors/factors_on_host.hpp"
#include "frond/base/instantiate.hpp"
#include "substitution/factor_solve.hpp"
#include "substitution/host_copies.hpp"

namespace frond::detail {
namespace {

constexpr index_t default_rhs_block = 64;

}  // namespace

template <class T>
index_t FactorSolve<T>::block_columns() const {
    return options_.rhs_block > 0 ? options_.rhs_block : default_rhs_block;
}

template <class T>
SubstitutionLoad FactorSolve<T>::load(index_t rhs) const {
    SubstitutionLoad load;
    load.rhs = std::min(rhs, block_columns());
    load.blocks = (rhs + block_columns() - 1) / block_columns();
    load.cores = state_.session->cpu_workers();
    load.scalar_bytes = static_cast<count_t>(sizeof(T));
    load.flops_per_product = (is_complex<T> ? 8 : 2) / relative_speed<T>;
    return load;
}

/// Alone where the estimates are near: that waits for nobody, and leaves the other cores to others.
template <class T>
SubstitutionWay FactorSolve<T>::quickest(const SubstitutionPlan& plan, const SubstitutionLoad& load) const {
    if (!factors_on_host(state_.factors)) return SubstitutionWay::units;
    constexpr double near = 1.2;
    const double by_tasks = substitution_seconds_by_tasks(plan, *state_.analysis, load, rates());
    if (substitution_seconds_alone(plan, load) <= near * by_tasks) return SubstitutionWay::alone;
    // Units of a group find vectors in the one memory of the host.
    const bool one_memory = starpu_memory_nodes_get_count_by_kind(STARPU_CPU_RAM) <= 1;
    return one_memory ? SubstitutionWay::groups : SubstitutionWay::units;
}

template <class T>
const SubstitutionPlan& FactorSolve<T>::plan(index_t rhs) {
    if (plan_) return *plan_;
    if (!state_.factors.ownership.is_alone())
        return plan_.emplace(SubstitutionPlan{SubstitutionWay::units, plan_units(*state_.analysis), {}});
    if (!factors_on_host(state_.factors)) make_room_for_copies(state_, options_.cancel);
    const SubstitutionLoad sizes = load(rhs);
    SubstitutionPlan plan = plan_substitution(*state_.analysis, sizes, rates());
    plan.way = forced_ && factors_on_host(state_.factors) ? *forced_ : quickest(plan, sizes);
    return plan_.emplace(std::move(plan));
}

#define FROND_INSTANTIATE(T)                                       \
    template index_t FactorSolve<T>::block_columns() const;        \
    template SubstitutionLoad FactorSolve<T>::load(index_t) const; \
    template const SubstitutionPlan& FactorSolve<T>::plan(index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
