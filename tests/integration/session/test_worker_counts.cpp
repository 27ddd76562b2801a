// SPDX-License-Identifier: BSD-3-Clause
#include "session/worker_counts.hpp"

#include <doctest/doctest.h>

using namespace frond::detail;

TEST_CASE("workers of cores leave room for those of cards and the caller") {
    CHECK(cpu_workers_beside_cards(16, 1, 16) == 10);
    CHECK(cpu_workers_beside_cards(8, 1, 16) == 8);
    CHECK(cpu_workers_beside_cards(8, 1, 8) == 2);
    CHECK(cpu_workers_beside_cards(32, 2, 32) == 21);
    CHECK(cpu_workers_beside_cards(4, 1, 4) == 1);
    CHECK(cpu_workers_beside_cards(64, 8, 16) == 1); // fewer cores than workers of cards
    CHECK(cpu_workers_beside_cards(4, 1, 0) == 4); // unknown
}

TEST_CASE("workers of a card, and cores for the caller and its tasks") {
    CHECK(workers_of_card(16) == 5);
    CHECK(workers_of_card(7) == 5);
    CHECK(workers_of_card(4) == 2);
    CHECK(workers_of_card(2) == 1);
    CHECK(workers_of_card(1) == 1);
    CHECK(workers_of_card(0) == 5); // unknown
}
