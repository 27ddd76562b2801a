// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <vector>

namespace frond {

/// Order of the members from an order of their groups: the members of a group follow each other.
inline std::vector<index_t> expand_order(const std::vector<index_t>& group_order,
                                         const std::vector<count_t>& member_begin, const std::vector<index_t>& member) {
    std::vector<index_t> order;
    order.reserve(member.size());
    for (const index_t g : group_order)
        order.insert(order.end(), member.begin() + member_begin[g], member.begin() + member_begin[g + 1]);
    return order;
}

/// 0, 1, .., n-1.
inline std::vector<index_t> natural_order(index_t n) {
    std::vector<index_t> order(static_cast<std::size_t>(n));
    for (index_t v = 0; v < n; ++v) order[v] = v;
    return order;
}

}  // namespace frond
