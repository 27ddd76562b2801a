// SPDX-License-Identifier: BSD-3-Clause
// Messages have names of which no two are alike.
#include "frond/analysis/message_tag.hpp"
#include "frond/base/error.hpp"
#include "rank_trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

using namespace frond;
using namespace frond::test;

TEST_CASE("a tag has all of its parts, up to the largest, in 63 bits") {
    const MessageTag largest{(1 << 11) - 1, 15, (1 << 21) - 1, 31, (1 << 22) - 1};
    CHECK(largest.packed() == std::numeric_limits<std::int64_t>::max());
    for (const MessageTag& tag :
         {MessageTag{}, largest, MessageTag{1, 2, 3, 4, 5}, MessageTag{2000, 0, 2'000'000, 0, 1}}) {
        CHECK(tag.packed() >= 0);
        CHECK(MessageTag::unpacked(tag.packed()) == tag);
    }
}

TEST_CASE("parts that have no room in a tag are refused by name") {
    const auto refusal = [](const MessageTag& tag) -> std::string {
        try {
            static_cast<void>(tag.packed());
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal({1 << 11, 0, 0, 0, 0}).find("solver of a message is 2048") != std::string::npos);
    CHECK(refusal({0, 16, 0, 0, 0}).find("call of a message is 16") != std::string::npos);
    CHECK(refusal({0, 0, 1 << 21, 0, 0}).find("unit of a message is 2097152") != std::string::npos);
    CHECK(refusal({0, 0, 0, 32, 0}).find("kind of a message is 32") != std::string::npos);
    CHECK(refusal({0, 0, 0, 0, 1 << 22}).find("index of a message is 4194304") != std::string::npos);
    CHECK(refusal({0, 0, -1, 0, 0}).find("unit of a message is -1") != std::string::npos);
}

TEST_CASE("both ranks of a message give it the same tag, and no two messages of two ranks have the same") {
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        const CostedTree t = tree_of_grid(9, kind);
        RankMapping mapping = mapped(t, alike(5));
        share_much(t.tree, mapping, 7);
        using Pair = std::tuple<index_t, index_t, std::int64_t>;
        std::set<Pair> tags;
        std::size_t messages = 0;
        for (index_t f = 0; f < t.tree.front_count(); ++f) {
            std::vector<MessageNumbers> numbers;
            for (index_t r = 0; r < 5; ++r) numbers.emplace_back(r);
            for_each_message(t.tree, mapping, t.rule(), f, [&](const Message& m) {
                const std::int64_t sent = numbers[at(m.source)].next(m);
                REQUIRE(sent == numbers[at(m.destination)].next(m));
                tags.insert({std::min(m.source, m.destination), std::max(m.source, m.destination),
                             MessageTag{0, 0, f, static_cast<std::int64_t>(m.kind), sent}.packed()});
                ++messages;
            });
        }
        CHECK(messages > 100);
        CHECK(tags.size() == messages);
    }
}

TEST_CASE("numbers of solvers are used again, on all ranks the same") {
    SolverNumbers here, there;
    const auto number = [&] {
        SolverNumbers::Words taken = here.taken();
        for (std::size_t w = 0; w < taken.size(); ++w) taken[w] |= there.taken()[w];
        const index_t n = SolverNumbers::first_free(taken);
        here.take(n);
        there.take(n);
        return n;
    };
    CHECK(number() == 0);
    CHECK(number() == 1);
    here.give_back(0);
    CHECK(number() == 2);  // there it is still taken
    there.give_back(0);
    CHECK(number() == 0);
    for (index_t n = 3; n < SolverNumbers::most; ++n) CHECK(number() == n);
    CHECK_THROWS_AS(number(), InvalidArgument);
    there.give_back(70);
    here.give_back(70);
    CHECK(number() == 70);
    CHECK_THROWS_AS(here.take(70), InvalidArgument);
    CHECK_THROWS_AS(here.take(SolverNumbers::most), InvalidArgument);
}
