// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/worker_counts.hpp"

#include <doctest/doctest.h>

using namespace frond::detail;

TEST_CASE("workers of cores leave room for those of cards and the caller") {
    CHECK(cpu_workers_beside_cards(16, 1, 16) == 10);
    CHECK(cpu_workers_beside_cards(8, 1, 16) == 8);
    CHECK(cpu_workers_beside_cards(8, 1, 8) == 2);
    CHECK(cpu_workers_beside_cards(32, 2, 32) == 21);
    CHECK(cpu_workers_beside_cards(4, 1, 4) == 1);
    CHECK(cpu_workers_beside_cards(64, 8, 16) == 1);  // fewer cores than workers of cards
    CHECK(cpu_workers_beside_cards(4, 1, 0) == 4);  // unknown
}

TEST_CASE("workers of a card, and cores for the caller and its tasks") {
    CHECK(workers_of_card(16) == 5);
    CHECK(workers_of_card(7) == 5);
    CHECK(workers_of_card(4) == 2);
    CHECK(workers_of_card(2) == 1);
    CHECK(workers_of_card(1) == 1);
    CHECK(workers_of_card(0) == 5);  // unknown
}

TEST_CASE("workers: the option, then the variable, then one a core") {
    WorkerFacts facts{.asked = 3,
                      .by_variable = 7,
                      .reserved = 1,
                      .threads_per_core = 1,
                      .cards = 0,
                      .cores = 8,
                      .usable = 16,
                      .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 3);
    CHECK(plan_workers(facts).reserved == 0);
    CHECK(plan_workers(facts).threads == 3);
    facts.asked = 0;
    CHECK(plan_workers(facts).cpu_workers == 7);
    facts.reserved = -1;  // STARPU_RESERVE_NCPU is not set
    CHECK(plan_workers(facts).reserved == 0);
    CHECK(plan_workers(facts).threads == 7);
    facts.reserved = 1;
    CHECK(plan_workers(facts).reserved == 1);
    CHECK(plan_workers(facts).threads == 6);
    facts.by_variable = -1;
    facts.reserved = 0;
    CHECK(plan_workers(facts).cpu_workers == 8);  // 16 hardware threads
    CHECK(plan_workers(facts).threads == 8);
    facts.threads_per_core = 2;
    CHECK(plan_workers(facts).cpu_workers == 15);  // one for the thread that submits
    facts.usable = 3;  // a quota
    CHECK(plan_workers(facts).cpu_workers == 3);
    facts.cores = 0;  // unknown: StarPU looks itself
    CHECK(plan_workers(facts).cpu_workers == -1);
}

TEST_CASE("of 16 cores or more one is left to the thread that submits") {
    WorkerFacts facts{.cores = 15, .usable = 15, .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 15);
    CHECK(plan_workers(facts).threads == 15);
    facts.cores = facts.usable = 16;
    CHECK(plan_workers(facts).cpu_workers == 15);
    CHECK(plan_workers(facts).threads == 16);
    facts.usable = 8;  // a quota
    CHECK(plan_workers(facts).cpu_workers == 8);
    facts.usable = 16;
    facts.reserved = 1;  // StarPU leaves one out
    CHECK(plan_workers(facts).cpu_workers == 16);
    CHECK(plan_workers(facts).threads == 15);
    facts.asked = 15;
    CHECK(plan_workers(facts).cpu_workers == 15);
    CHECK(plan_workers(facts).threads == 16);
    facts.asked = 14;
    CHECK(plan_workers(facts).threads == 14);
}

TEST_CASE("workers beside a card: as many as the cores that the process may use leave") {
    WorkerFacts facts{.asked = 0,
                      .by_variable = -1,
                      .reserved = 0,
                      .threads_per_core = 1,
                      .cards = 1,
                      .cores = 16,
                      .usable = 16,
                      .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 10);  // StarPU would count cores of the machine, where the set has gaps
    CHECK(plan_workers(facts).reserved == 0);
    CHECK(plan_workers(facts).threads == 16);
    facts.reserved = 3;  // the caller's is one of them
    CHECK(plan_workers(facts).cpu_workers - plan_workers(facts).reserved == 8);
    facts.reserved = 0;
    facts.usable = 8;  // a quota
    CHECK(plan_workers(facts).cpu_workers == 2);  // beside five of the card and the caller
    CHECK(plan_workers(facts).threads == 8);
    facts.asked = 1;
    CHECK(plan_workers(facts).threads == 7);
}

TEST_CASE("four cores with a card, with one hardware thread each or two") {
    WorkerFacts facts{.cards = 1, .cores = 4, .usable = 4, .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 1);  // beside two of the card and the caller
    CHECK(plan_workers(facts).threads == 4);
    facts.usable = 8;
    CHECK(plan_workers(facts).cpu_workers == 1);
    facts.cores = 0;  // unknown: StarPU looks itself, and leaves one to the caller
    CHECK(plan_workers(facts).cpu_workers == -1);
    CHECK(plan_workers(facts).reserved == 1);
    CHECK(plan_workers(facts).threads == 0);
}

TEST_CASE("threads of a card that somebody asked for leave more cores to workers, or fewer") {
    WorkerFacts facts{.cards = 2, .per_card = 1, .cores = 16, .usable = 16, .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 13);
    CHECK(plan_workers(facts).threads == 16);
    facts.per_card = 7;
    CHECK(plan_workers(facts).cpu_workers == 1);
    CHECK(plan_workers(facts).threads == 16);
}

TEST_CASE("no more workers than StarPU was built for, and none counted beyond") {
    WorkerFacts facts{.cards = 0, .cores = 192, .usable = 384, .most = 128};
    CHECK(plan_workers(facts).cpu_workers == 128);
    CHECK(plan_workers(facts).threads == 129);  // with the caller
    facts.cards = 1;
    CHECK(plan_workers(facts).cpu_workers == 128);
    CHECK(plan_workers(facts).threads == 134);
}
