// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/simulated_workers.hpp"

#include <utility>

#include "frond/base/vector_index.hpp"

namespace frond::detail {

void SimulatedWorkers::add(Queue& queue, int priority, Begin begin) {
    queue.push({priority, added_++, std::move(begin)});
    begin_ready();
}

void SimulatedWorkers::add_for_card(index_t card, int priority, double seconds, Begin begin) {
    cards_[at(card)].seconds_ahead += seconds;
    add(cards_[at(card)].queue, priority, std::move(begin));
}

void SimulatedWorkers::end_on_core(double seconds) {
    busy_core_seconds_ += seconds;
    ++idle_cores_;
    begin_ready();
}

double SimulatedWorkers::run_kernel(index_t card, double seconds) {
    Card& on = cards_[at(card)];
    on.busy_seconds += seconds;
    return on.kernels_end = std::max(on.kernels_end, time_.now()) + seconds;
}

void SimulatedWorkers::end_on_card(index_t card, double ahead) {
    cards_[at(card)].seconds_ahead -= ahead;
    ++cards_[at(card)].free_places;
    begin_ready();
}

SimulatedWorkers::Queue* SimulatedWorkers::next_of(Queue& own, Queue& of_all) {
    if (own.empty()) return of_all.empty() ? nullptr : &of_all;
    return of_all.empty() || of_all.top() < own.top() ? &own : &of_all;
}

SimulatedWorkers::Begin SimulatedWorkers::take(Queue& queue) {
    Begin begin = std::move(const_cast<Ready&>(queue.top()).begin);
    queue.pop();
    return begin;
}

/// Cores first, in whose memory the data of small fronts are.
void SimulatedWorkers::begin_ready() {
    for (Queue* next = nullptr; idle_cores_ > 0 && (next = next_of(for_cores_, for_any_)) != nullptr;) {
        const Begin begin = take(*next);
        --idle_cores_;
        begin(core);
    }
    for (std::size_t c = 0; c < cards_.size(); ++c)
        for (Queue* next = nullptr;
             cards_[c].free_places > 0 && (next = next_of(cards_[c].queue, for_any_)) != nullptr;) {
            const Begin begin = take(*next);
            --cards_[c].free_places;
            begin(static_cast<index_t>(c));
        }
}

}  // namespace frond::detail
