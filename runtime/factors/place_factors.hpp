// SPDX-License-Identifier: BSD-3-Clause
// Memory of factors that devices make without tasks on tiles.
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// Where the factors of an analysis lie in parts that StarPU may put anywhere.
template <class T>
struct FactorLayout {
    std::vector<count_t> part_bytes;
    gpu::FrontFactorViewss<T> fronts;  // relative to the parts
};
template <class T>
std::shared_ptr<const FactorLayout<T>> factor_layout(const Analysis& analysis);

/// Of all parts.
template <class T>
count_t factor_bytes_on_device(const Analysis& analysis);

/// Handles of subtrees and tiles inside the parts of state, which are held.
template <class T>
void place_factors_in_parts(FactorsState<T>& state);

/// The session's pinned memory, tile by tile. @throws OutOfMemory also where no more can be pinned
template <class T>
void place_factors_on_host(FactorsState<T>& state);

}  // namespace frond::detail
