// SPDX-License-Identifier: BSD-3-Clause
// What a session measured of cards, as a machine of simulations.
#include "simulate/this_machine.hpp"
#include "simulate/platform.hpp"

#include "frond/base/error.hpp"
#include "frond/gpu/devices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

using namespace frond;
using namespace frond::cli;

namespace {

constexpr double no_latency_of_a_link = 1e-2;

gpu::MeasuredCard card(const std::string& model, double peer_bytes = 0) {
    return {model, 140'000'000'000, 3.1e13, 5.2e10, 9e-6, peer_bytes};
}

}  // namespace

TEST_CASE("cards of one model are one entry, with what was measured of them") {
    std::vector<gpu::MeasuredCard> two{card("NVIDIA H200", 1.6e11), card("NVIDIA H200", 1.5e11)};
    two[1].memory_bytes = 139'000'000'000;
    const std::vector<SimulatedCards> cards = simulated_cards(two, "2026-11-27");
    REQUIRE(cards.size() == 1);
    CHECK(cards[0].model == "NVIDIA H200");
    CHECK(cards[0].count == 2);
    CHECK(cards[0].memory_bytes == 139'000'000'000);
    CHECK(cards[0].link_bytes_per_second == 5.2e10);
    CHECK(cards[0].link_seconds == 9e-6);
    CHECK(cards[0].peer_bytes_per_second == 1.5e11);
    CHECK(cards[0].product_flops == 3.1e13);
    CHECK(cards[0].product_source == "measured on 2026-11-27, products of order 1024");
    CHECK(simulated_cards({}, "2026-11-27").empty());
}

TEST_CASE("a card that no other reaches has no rate to it, and another model an entry of its own") {
    const std::vector<SimulatedCards> cards =
        simulated_cards({card("a", 1e11), card("b", 1e11), card("a", 0)}, "2026-11-27");
    REQUIRE(cards.size() == 2);
    CHECK(cards[0].count == 2);
    CHECK(cards[0].peer_bytes_per_second == 0);
    CHECK(cards[1].model == "b");
    CHECK(cards[1].count == 1);
}

TEST_CASE("a card that could not be measured is said so, not taken for another one") {
    gpu::MeasuredCard productless = card("NVIDIA H200"), linkless = productless;
    productless.product_flops = 0;
    linkless.link_bytes = 0;
    CHECK_THROWS_WITH_AS(simulated_cards({productless}, "2026-11-27"),
                         doctest::Contains("the card NVIDIA H200 of this machine could not be measured: its products "
                                           "did not run; give a machine file"),
                         RuntimeError);
    CHECK_THROWS_WITH_AS(simulated_cards({linkless}, "2026-11-27"), doctest::Contains("its copies did not run"),
                         RuntimeError);
    CHECK_THROWS_WITH_AS(simulated_cards(std::vector(9, card("a")), "2026-11-27"),
                         doctest::Contains("this machine has 9 cards, more than the 8"), InvalidArgument);
}

TEST_CASE("this machine has the cards that a session uses, unless none is asked for") {
    const SimulatedMachine bare = this_machine(false), machine = this_machine(true);
    CHECK(bare.card_count() == 0);
    CHECK(bare.about == "the machine that frond ran on, without its cards");
    CHECK(bare.cores == machine.cores);
    const CardsHere found = find_cards_here();
    CHECK(machine.card_count() == std::ssize(found.used));
    if (gpu::device_count() == 0) CHECK(text_of_machine(machine) == text_of_machine(bare));
    for (const SimulatedCards& cards : machine.cards) {
        CHECK(cards.product_flops > 1e9);
        CHECK(cards.link_bytes_per_second > 1e7);
        CHECK(cards.link_seconds < no_latency_of_a_link);
        CHECK(cards.memory_bytes > 100'000'000);
        CHECK(machine.about.find("were measured on 20") != std::string::npos);
    }
}

TEST_CASE("the machine is handed to the simulation as it was read here") {
    SimulatedMachine machine = this_machine(false);
    machine.cards = simulated_cards({card("NVIDIA H200", 1.6e11)}, "2026-11-27");
    const PlatformFolder folder(machine);
    std::ifstream file(folder.machine_file());
    std::stringstream text;
    text << file.rdbuf();
    CHECK(text.str() == text_of_machine(machine));
    CHECK(text_of_machine(parse_machine(text.str(), "handed")) == text.str());
    const std::vector<std::string> variables = variables_of(folder);
    CHECK(std::count(variables.begin(), variables.end(), "FROND_SIMULATION_MACHINE=" + folder.machine_file()) == 1);
}
