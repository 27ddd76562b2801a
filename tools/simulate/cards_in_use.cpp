// SPDX-License-Identifier: BSD-3-Clause
#include "cards_in_use.hpp"

#include "frond/base/error.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace frond::cli {
namespace {

void expect_scheduler_of_cards(const std::string& scheduler) {
    constexpr std::array<std::string_view, 3> deques{"lws", "ws", "random"};
    if (std::find(deques.begin(), deques.end(), scheduler) == deques.end()) return;
    throw InvalidArgument("the scheduler " + scheduler +
                          " cannot serve cards: it looks at tasks that its worker cannot run, again and again; take "
                          "dmdas, or --gpus 0 for the cores alone");
}

}  // namespace

bool uses_cards(const CommandLine& line, const SimulatedMachine& machine) {
    return machine.card_count() > 0 && line.options.session.gpus != 0;
}

void expect_simulated_cards(const CommandLine& line, const SimulatedMachine& machine, const std::string& scheduler) {
    const index_t gpus = line.options.session.gpus;
    if (gpus > machine.card_count())
        throw InvalidArgument(
            fmt::format("--gpus {}: the machine {} has {}", gpus, machine.name, counted(machine.card_count(), "card")));
    if (machine.cards.size() > 1 && gpus != 0)
        throw InvalidArgument(
            fmt::format("--machine {}: it has cards of {} models, and only one can be simulated at a "
                        "time; take the others out of the file, or --gpus 0",
                        machine.name, machine.cards.size()));
    if (uses_cards(line, machine)) expect_scheduler_of_cards(scheduler);
}

}  // namespace frond::cli
