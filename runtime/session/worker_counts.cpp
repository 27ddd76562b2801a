// SPDX-License-Identifier: BSD-3-Clause
#include "session/worker_counts.hpp"

#include <algorithm>

namespace frond::detail {

index_t workers_of_card(index_t cores) {
    constexpr index_t most = 5;
    return cores == 0 ? most : std::clamp(cores - 2, 1, most);
}

index_t cpu_workers_beside_cards(index_t asked, index_t cards, index_t cores) {
    if (cores == 0) return asked;
    const index_t left = cores - workers_of_card(cores) * cards - 1;
    return std::max(1, std::min(asked, left));
}

}  // namespace frond::detail
