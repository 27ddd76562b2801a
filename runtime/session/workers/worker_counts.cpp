// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/worker_counts.hpp"

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

namespace {

index_t threads_of_cards(const WorkerFacts& f) {
    return f.cards * (f.per_card > 0 ? f.per_card : workers_of_card(f.usable));
}

/// From here on a core without a worker pays: the thread that submits has it. 16 cores factor in 0.59 to 1.02 of the
/// time, and solve in 0.6; 8 cores take up to a sixth longer (bench/results/2026-11-27-16-cores.txt).
constexpr index_t many_cores = 16;

/// Cores for the thread that submits, without an option or a variable, or if these leave just one. With cards it is
/// counted in addition to their workers.
index_t cores_without_worker(const WorkerFacts& f, index_t room, index_t reserved) {
    if (f.cores == 0 || f.cards > 0 || reserved > 0 || room < many_cores) return 0;
    const index_t chosen = f.asked > 0 ? f.asked : f.by_variable;
    return chosen < 0 || chosen == room - 1 ? 1 : 0;
}

index_t room_on_cores(const WorkerFacts& f) { return std::min(f.cores * f.threads_per_core, f.usable); }

/// The number of workers without an option or a variable.
index_t workers_of_known_cores(const WorkerFacts& f, index_t reserved) {
    const index_t room = room_on_cores(f);
    if (f.cards == 0) return room - cores_without_worker(f, room, reserved);
    const index_t caller = 1;  // launches and copies; a core that is left out is for it
    return std::max(room - threads_of_cards(f) - std::max(reserved, caller), 1) + reserved;
}

index_t asked_workers(const WorkerFacts& f, index_t reserved) {
    if (f.asked > 0) return f.cards > 0 ? cpu_workers_beside_cards(f.asked, f.cards, f.usable) : f.asked;
    if (f.by_variable >= 0) return f.by_variable;
    return f.cores > 0 ? workers_of_known_cores(f, reserved) : -1;
}

index_t cores_left_out(const WorkerFacts& f) {
    if (f.asked > 0) return 0;
    return std::max(f.reserved, 0);
}

}  // namespace

WorkerPlan plan_workers(const WorkerFacts& f) {
    WorkerPlan plan;
    plan.reserved = cores_left_out(f);
    plan.cpu_workers = std::min(asked_workers(f, plan.reserved), f.most);
    if (plan.cpu_workers < 0) {
        if (f.cards > 0) plan.reserved = std::max(plan.reserved, 1);  // for the caller
        return plan;
    }
    plan.threads = std::max(plan.cpu_workers - plan.reserved, 0) + (f.cards > 0 ? threads_of_cards(f) + 1 : 0) +
                   cores_without_worker(f, room_on_cores(f), plan.reserved);
    return plan;
}

}  // namespace frond::detail
