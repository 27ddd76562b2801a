// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data/factors_state.hpp"
#include "frond/gpu/resident_solve.hpp"

namespace frond::detail {

/// The matrix of the factors by rows, both triangles, rows and columns in elimination order. Cost: O(entries).
template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state);

}  // namespace frond::detail
