// SPDX-License-Identifier: BSD-3-Clause
// The machine that frond runs on, as simulations take it.
#pragma once

#include "frond/gpu/measured_cards.hpp"
#include "simulate/machine_file.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// What a session found.
struct CardsHere {
    std::vector<gpu::MeasuredCard> used;
    std::string reason;  // why cards that are there are not used; empty: they are, or there are none
};

/// Opens a session where the vendor's runtime shows cards, which takes up to a second; none may be open that is without.
CardsHere find_cards_here();

/// One entry for each model, with the numbers of its first card. date: of the measurement.
/// @throws RuntimeError     a card could not be measured
/// @throws InvalidArgument  there are more cards than a simulation has
std::vector<SimulatedCards> simulated_cards(const std::vector<gpu::MeasuredCard>& measured, const std::string& date);

/// The usable cores and memory of this machine, and its usable cards if they are asked for. @throws  as
/// simulated_cards()
SimulatedMachine this_machine(bool with_cards);

}  // namespace frond::cli
