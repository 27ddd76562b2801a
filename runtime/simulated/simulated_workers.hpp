// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/codelets/simulated_time.hpp"

namespace frond::detail {

/// How many of each a rank has.
struct CoresAndCards {
    index_t cores = 1, cards = 0;
};

/// The cores and the cards of a rank: of the work that can begin that of the highest priority goes to one that is free, and
/// of the same priority what came first. A card has one kernel at a time, as a card of StarPU-SimGrid has; at the same
/// time a few tasks are there whose data come meanwhile.
class SimulatedWorkers {
public:
    static constexpr index_t core = -1;  // in place of a card's number
    /// Takes a core, or one of the workers of that card, until it ends there.
    using Begin = std::function<void(index_t where)>;

    SimulatedWorkers(SimulatedTime& time, CoresAndCards has)
        : time_(time), idle_cores_(has.cores), cards_(static_cast<std::size_t>(has.cards)) {}

    void add_for_cores(int priority, Begin begin) { add(for_cores_, priority, std::move(begin)); }
    /// seconds: that the card will be busy with it, for seconds_ahead().
    void add_for_card(index_t card, int priority, double seconds, Begin begin);
    /// Adds work for any worker that is free.
    void add_for_any(int priority, Begin begin) { add(for_any_, priority, std::move(begin)); }

    /// seconds: that the core was busy.
    void end_on_core(double seconds);
    /// When a kernel ends whose data are there now.
    double run_kernel(index_t card, double seconds);
    /// ahead: what was said when it was added for that card; 0: it was added for any.
    void end_on_card(index_t card, double ahead);

    index_t cards() const noexcept { return static_cast<index_t>(cards_.size()); }
    /// The seconds of tasks that were added for the card and have not ended.
    double seconds_ahead(index_t card) const { return cards_[static_cast<std::size_t>(card)].seconds_ahead; }
    double busy_core_seconds() const noexcept { return busy_core_seconds_; }
    double busy_card_seconds(index_t card) const { return cards_[static_cast<std::size_t>(card)].busy_seconds; }

private:
    struct Ready {
        int priority;
        count_t number;
        Begin begin;

        bool operator<(const Ready& o) const noexcept {
            return priority != o.priority ? priority < o.priority : number > o.number;
        }
    };
    using Queue = std::priority_queue<Ready>;
    struct Card {
        index_t free_places = 3;  // for a kernel, and as many tasks more as StarPU's pipeline has
        double kernels_end = 0, seconds_ahead = 0, busy_seconds = 0;
        Queue queue;
    };
    void add(Queue& queue, int priority, Begin begin);
    void begin_ready();
    /// The queue with the next one of both; null: they are empty.
    static Queue* next_of(Queue& own, Queue& of_all);
    static Begin take(Queue& queue);

    SimulatedTime& time_;
    index_t idle_cores_;
    count_t added_ = 0;
    double busy_core_seconds_ = 0;
    std::vector<Card> cards_;
    Queue for_cores_, for_any_;
};

}  // namespace frond::detail
