// SPDX-License-Identifier: BSD-3-Clause
#include "user_order.hpp"

#include "frond/base/error.hpp"

#include <cstddef>
#include <string>

namespace frond {

void check_user_order(const std::vector<index_t>& order, index_t n) {
    if (order.size() != static_cast<std::size_t>(n))
        throw InvalidArgument("user_order has " + std::to_string(order.size()) + " entries, the matrix " +
                              std::to_string(n) + " columns; give one entry for each column");
    std::vector<index_t> position_of(order.size(), -1);
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order[k];
        if (v < 0 || v >= n)
            throw InvalidArgument("user_order[" + std::to_string(k) + "] = " + std::to_string(v) + " is outside 0 .. " +
                                  std::to_string(n - 1) + "; columns are numbered from 0");
        if (position_of[v] >= 0)
            throw InvalidArgument("user_order[" + std::to_string(k) + "] = " + std::to_string(v) +
                                  " is already at position " + std::to_string(position_of[v]) +
                                  "; every column is eliminated once");
        position_of[v] = k;
    }
}

std::vector<index_t> with_pairs_adjacent(const std::vector<index_t>& order, const std::vector<index_t>& partner) {
    if (partner.empty()) return order;
    std::vector<index_t> result;
    result.reserve(order.size());
    std::vector<bool> waiting(order.size(), false);
    for (const index_t v : order) {
        const index_t u = partner[v];
        if (u != v && !waiting[u]) {
            waiting[v] = true;
            continue;
        }
        if (u != v) result.push_back(u);
        result.push_back(v);
    }
    return result;
}

}  // namespace frond
