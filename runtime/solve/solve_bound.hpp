// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"
#include "memory/free_memory.hpp"
#include "memory/memory_limit.hpp"

#include <algorithm>
#include <limits>

namespace frond::detail {

/// The bytes that a solve with these factors may hold: those given (0: none), those that the factorization's
/// budget leaves, or what is free. Below 32 MiB wanted nobody asks the system how much that is: it takes longer
/// than a small solve.
template <class T>
count_t solve_bound(const FactorsState<T>& state, count_t given, count_t wanted) {
    if (given > 0) return given;
    if (state.solve_bound_bytes > 0) return state.solve_bound_bytes;
    return wanted <= too_small_to_ask ? std::numeric_limits<count_t>::max() : budget_bytes(0);
}

/// An examination of factors that have just been made takes `bytes` beside them, which is part of their factorization.
template <class T>
void count_examination(FactorsState<T>& state, count_t bytes) {
    const count_t taken = std::min(bytes, solve_bound(state, 0, bytes));
    count_t& peak = state.report.memory.peak_bytes;
    peak = std::max(peak, state.lasting_bytes + taken);
}

}  // namespace frond::detail
