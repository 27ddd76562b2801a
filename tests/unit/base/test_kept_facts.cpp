// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/analysis.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace frond {
namespace {

struct Length {};
struct Text {};

/// Says how often it was asked.
int ask(const KeptFacts& facts, count_t number, int& asked) {
    return facts.of<Length>(number, [&] { return ++asked; });
}

TEST_CASE("facts are made once, and go with the object that has them") {
    KeptFacts facts;
    int asked = 0;
    CHECK(ask(facts, 1, asked) == 1);
    CHECK(ask(facts, 1, asked) == 1);
    CHECK(ask(facts, 2, asked) == 2);
    CHECK(ask(facts, 1, asked) == 1);
    CHECK(facts.of<Text>(1, [] { return std::string("other"); }) == "other");
    CHECK(ask(facts, 2, asked) == 2);

    const KeptFacts copy(facts);
    CHECK(ask(copy, 1, asked) == 3);
    CHECK(ask(facts, 1, asked) == 1);
    const KeptFacts moved(std::move(facts));
    CHECK(ask(moved, 1, asked) == 4);

    KeptFacts assigned;
    CHECK(ask(assigned, 1, asked) == 5);
    assigned = copy;
    CHECK(ask(assigned, 1, asked) == 6);
}

}  // namespace
}  // namespace frond
