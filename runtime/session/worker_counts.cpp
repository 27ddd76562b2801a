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

WorkerPlan plan_workers(const WorkerFacts& f) {
    WorkerPlan plan;
    plan.reserved = f.asked > 0 ? 0 : std::max(f.reserved, 0);
    const bool has_quota = f.usable < f.cores;
    if (f.asked > 0)
        plan.cpu_workers = f.cards > 0 ? cpu_workers_beside_cards(f.asked, f.cards, f.usable) : f.asked;
    else if (f.by_variable >= 0)
        plan.cpu_workers = f.by_variable;
    else if (f.cards == 0 && f.cores > 0)
        plan.cpu_workers = std::min(f.cores * f.threads_per_core, f.usable);
    else if (f.cards > 0 && has_quota)
        plan.cpu_workers = cpu_workers_beside_cards(f.usable, f.cards, f.usable);
    else if (f.cards > 0)
        plan.reserved = std::max(plan.reserved, 1);  // for the caller, which launches and copies
    if (plan.cpu_workers < 0)
        plan.threads = f.cores;  // StarPU fills those that the card's workers leave
    else
        plan.threads = std::max(plan.cpu_workers - plan.reserved, 0) +
                       (f.cards > 0 ? workers_of_card(f.usable) * f.cards + 1 : 0);
    return plan;
}

}  // namespace frond::detail
