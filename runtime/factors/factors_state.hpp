// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "factors/system.hpp"
#include "factors/tree_factors.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/solver.hpp"
#include "memory/predict_solve.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

template <class T>
class DeviceSolve;

/// What a tree needs in addition to its branches, where these are factored as a tree by themselves.
template <class T>
struct RestOfTree {
    double largest_entry = 0;  // of the scaled matrix of the whole tree
    count_t device_bytes = 0;  // of each device, that the tasks of the fronts above the branches want
    std::vector<std::span<const T>> values;  // of the branches, one run behind the other, while they are factored
};

/// The hint at the condition of A that solves give.
struct ConditionHint {
    bool is_first_of_analysis = true;  // as far as a Solver knows; later values have much the same condition
    std::mutex mutex;  // for what follows
    std::optional<bool> pivots_ask, is_due;
    std::optional<double> value;  // made when first asked for
};

/// Everything that Factors<T> shares. Nothing of it changes when the factorization has ended, except for what is
/// mutable.
template <class T>
class FactorsState {
    HeapUse heap_use_{host_heap()};  // ends when the memory of all others is free

public:
    FactorsState(std::shared_ptr<SessionState> of_all, std::shared_ptr<const Analysis> of_a)
        : system(of_all, of_a), factors(std::move(of_all), std::move(of_a)) {}
    FactorsState(const FactorsState&) = delete;
    FactorsState& operator=(const FactorsState&) = delete;
    ~FactorsState();

    System<T> system;
    TreeFactors<T> factors;
    const std::shared_ptr<SessionState>& session = factors.session;
    const std::shared_ptr<const Analysis>& analysis = factors.analysis;
    FactorReport report;
    bool are_pivots_sure = true;  // signs and sizes of pivots are not those of rounding errors
    std::optional<RestOfTree<T>> rest_of_tree;  // these are factors of branches
    std::optional<SolveBytes<T>> solve_bytes;  // solves take so much
    count_t lasting_bytes = 0;  // of the factorization, as long as there are factors
    mutable std::atomic<count_t> solve_bound_bytes{0};  // the factorization's budget leaves so much; 0: none was given
    mutable ConditionHint condition_hint;

    Factorization kind() const { return factors.kind(); }
    /// Made when first asked for; see substitution/device_solve.hpp.
    DeviceSolve<T>& device_solve() const;
    /// Another analysis of the matrix, before there are factors.
    void use_analysis(std::shared_ptr<const Analysis> other);

private:
    mutable std::mutex mutex_;  // for what follows
    mutable std::shared_ptr<DeviceSolve<T>> device_solve_;  // goes before the handles that it holds
};

}  // namespace frond::detail
