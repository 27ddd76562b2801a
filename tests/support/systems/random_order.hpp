// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random_sparse.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace frond::test {

/// A permutation of 0 .. n-1, the same for a seed on every machine.
inline std::vector<index_t> random_order(index_t n, std::uint64_t seed) {
    Random random(seed);
    std::vector<index_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (index_t k = n - 1; k > 0; --k) std::swap(order[k], order[random.below(k + 1)]);
    return order;
}

}  // namespace frond::test
