// SPDX-License-Identifier: BSD-3-Clause
// Cards of simulated ranks: who takes what, and copies over their links.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "simulated/card_copies.hpp"
#include "simulated/simulated_workers.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace frond;
using namespace frond::detail;

namespace {

constexpr index_t host = CardLinks::host, first = 1, second = 2;  // places

/// 100 bytes a second between host and card, 200 from card to card, latency 0.5 s.
CardLinks links_of(index_t cards, double peer_bytes_per_second = 200) {
    return CardLinks({100, 0.5, peer_bytes_per_second}, cards);
}

struct CopyAt : CardCopies {
    CopyAt(CardLinks& by, index_t place, count_t size = 100) : CardCopies(size, by) { add(place); }
};

}  // namespace

TEST_CASE("a card runs one kernel at a time, and takes by priority what it or any may run") {
    SimulatedTime time;
    SimulatedWorkers workers(time, {1, 1});
    std::string order;
    const auto on_card = [&](char name) {
        return [&, name](index_t where) {
            CHECK(where == 0);
            order += name;
            time.at(workers.run_kernel(0, 2), [&] { workers.end_on_card(0, 2); });
        };
    };
    workers.add_for_cores(9, [&](index_t where) {
        CHECK(where == SimulatedWorkers::core);
        time.at(100, [&] { workers.end_on_core(100); });
    });
    for (const char name : {'a', 'b', 'c', 'd'}) workers.add_for_card(0, name == 'd' ? 1 : 0, 2, on_card(name));
    CHECK(order == "abc");  // one runs, the data of two come
    CHECK(workers.seconds_ahead(0) == 8);
    workers.add_for_any(2, [&](index_t where) {
        CHECK(where == 0);  // the core is busy
        order += 'e';
        time.at(workers.run_kernel(0, 2), [&] { workers.end_on_card(0, 0); });
    });
    time.run();
    CHECK(order == "abced");
    CHECK(workers.busy_card_seconds(0) == 10);
    CHECK(workers.busy_core_seconds() == 100);
    CHECK(workers.seconds_ahead(0) == 0);
}

TEST_CASE("data that a card has are not copied again, and a link has one copy at a time in each direction") {
    CardLinks links = links_of(1);
    CopyAt one(links, host), other(links, host);
    CHECK(links.bring(one, first, 3) == 3 + 1 + 0.5);
    CHECK(links.bring(other, first, 3) == 3 + 2 + 0.5);  // behind the first
    CHECK(links.bring(one, first, 3) == 4.5);  // under way
    CHECK(links.bring(one, first, 7) == 7);
    CHECK(links.bring(one, host, 7) == 7);
    CHECK(links.bytes_to_cards() == 200);
    one.write(first);
    CHECK(links.bring(one, host, 7) == 7 + 1 + 0.5);  // the other direction is free
    CHECK(links.bytes_from_cards() == 100);
}

TEST_CASE("from card to card data pass their own links, or the host where there are none") {
    CardLinks with_peers = links_of(2), without = links_of(2, 0);
    CopyAt near(with_peers, first), far(without, first);
    CHECK(with_peers.seconds_to(near, second) == 0.5 + 0.5);
    CHECK(without.seconds_to(far, second) == 2 * (1 + 0.5));
    CHECK(with_peers.bring(near, second, 1) == 1 + 0.5 + 0.5);
    CHECK(with_peers.bytes_to_cards() + with_peers.bytes_from_cards() == 0);
    CHECK(without.bring(far, second, 1) == 1 + 2 * (1 + 0.5));
    CHECK(without.bytes_to_cards() == 100);
    CHECK(without.bytes_from_cards() == 100);
    CHECK(far.is_at(host));
    CHECK_FALSE(near.is_at(host));
}

TEST_CASE("memory of a card counts what is valid there, and its peak") {
    CardLinks links = links_of(2);
    const CardMemory& memory = *links.memory();
    {
        CopyAt one(links, first), other(links, first, 50);
        CHECK(memory.bytes[0] == 150);
        one.write(second);
        CHECK(memory.bytes[0] == 50);
        CHECK(memory.bytes[1] == 100);
        CHECK(other.is_at(first));
    }
    CHECK(memory.bytes[0] + memory.bytes[1] == 0);
    CHECK(memory.peak_bytes[0] == 150);
    CHECK(memory.peak_bytes[1] == 100);
}

#endif
