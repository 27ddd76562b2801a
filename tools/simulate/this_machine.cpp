// SPDX-License-Identifier: BSD-3-Clause
#include "this_machine.hpp"

#include "frond/base/error.hpp"
#include "frond/base/hardware.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/session.hpp"
#include "terminal/terminal.hpp"
#include "terminal/clock.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace frond::cli {
namespace {

void expect_measured(const gpu::MeasuredCard& card) {
    if (card.product_flops > 0 && card.link_bytes > 0) return;
    throw RuntimeError(fmt::format(
        "the card {} of this machine could not be measured: its {} did not run; give a machine file with its numbers "
        "(docs/machines.md), or --gpus 0 for the cores alone",
        card.model, card.product_flops > 0 ? "copies" : "products"));
}

SimulatedCards first_of(const gpu::MeasuredCard& card, const std::string& date) {
    expect_measured(card);
    SimulatedCards cards;
    cards.model = card.model;
    cards.memory_bytes = card.memory_bytes;
    cards.link_bytes_per_second = card.link_bytes;
    cards.link_seconds = card.link_seconds;
    cards.peer_bytes_per_second = card.peer_bytes;
    cards.product_flops = card.product_flops;
    cards.product_source = "measured on " + date + ", products of order 1024";
    return cards;
}

/// A line of the description.
std::string about_cards(const CardsHere& cards, const std::string& date) {
    if (cards.used.empty())
        return "the machine that frond ran on, without its cards" + (cards.reason.empty() ? "" : ": " + cards.reason);
    return fmt::format("the machine that frond ran on; products and {} of its {} were measured on {}",
                       std::any_of(cards.used.begin(), cards.used.end(), [](const auto& c) { return c.peer_bytes > 0; })
                           ? "links"
                           : "link to the host",
                       cards.used.size() == 1 ? "card" : "cards", date);
}

}  // namespace

CardsHere find_cards_here() {
    if (gpu::device_count() == 0) return {};
    const StatusLine status("measuring the cards of this machine");
    SessionOptions options;
    options.tuning = "off";
    options.scheduler = "dmdas";  // whatever STARPU_SCHED says, which is of other runs
    const Session session(options);
    if (session.info().gpus == 0) return {{}, session.info().gpu_advice};
    return {gpu::measured_cards(), {}};
}

std::vector<SimulatedCards> simulated_cards(const std::vector<gpu::MeasuredCard>& measured, const std::string& date) {
    std::vector<SimulatedCards> all;
    for (const gpu::MeasuredCard& card : measured) {
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&card](const SimulatedCards& other) { return other.model == card.model; });
        SimulatedCards& cards = same == all.end() ? all.emplace_back(first_of(card, date)) : *same;
        ++cards.count;
        cards.memory_bytes = std::min(cards.memory_bytes, card.memory_bytes);
        cards.peer_bytes_per_second = std::min(cards.peer_bytes_per_second, card.peer_bytes);
    }
    if (std::ssize(measured) > most_simulated_cards)
        throw InvalidArgument(fmt::format(
            "this machine has {}, more than the {} that can be simulated; give --gpus 0 for its cores alone, or show "
            "fewer, by CUDA_VISIBLE_DEVICES for example",
            counted(std::ssize(measured), "card"), most_simulated_cards));
    return all;
}

SimulatedMachine this_machine(bool with_cards) {
    SimulatedMachine machine;
    machine.name = "this";
    machine.cores = usable_cores();
    machine.memory_bytes = static_cast<count_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
    const CardsHere found = with_cards ? find_cards_here() : CardsHere{};
    machine.about = about_cards(found, today());
    machine.cards = simulated_cards(found.used, today());
    return machine;
}

}  // namespace frond::cli
