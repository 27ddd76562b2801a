// SPDX-License-Identifier: BSD-3-Clause
// The clock of simulated ranks, their cores, and what passes between them. Sanitizers know nothing of fibers.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "frond/codelets/simulated_time.hpp"
#include "simulated/simulated_workers.hpp"
#include "simulated/step_graph.hpp"
#include "simulated/traffic.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::detail;

namespace {

SimulatedCluster two_ranks() {
    SimulatedCluster cluster;
    cluster.ranks = 2;
    cluster.network = {1000, 0.5, 0.25};
    return cluster;
}

struct Seen {
    double path = -1, at = -1;
};

Traffic::End end_of(SimulatedTime& time, Seen& seen, double path, std::int64_t bytes = 1000) {
    return {bytes, path, [&time, &seen](double seconds) { seen = {seconds, time.now()}; }};
}

}  // namespace

TEST_CASE("acts come in the order of their times, and actors pause and wait") {
    SimulatedTime time;
    std::string order;
    bool is_ready = false;
    int owner = 0;
    time.at(2, [&] { order += "c"; });
    time.at(1, [&] { order += "b"; });
    time.at(2, [&] { order += "d"; });
    time.start(
        [&] {
            CHECK(SimulatedTime::running() == &time);
            CHECK(time.owner_of_actor() == &owner);
            order += "a";
            time.pause(3);
            order += "e";
            is_ready = true;
            time.wake(&is_ready);
        },
        &owner);
    time.start([&] {
        while (!is_ready) time.wait(&is_ready);
        CHECK(time.now() == 3);
        order += "f";
    });
    time.run();
    CHECK(order == "abcdef");
    CHECK(SimulatedTime::running() == nullptr);
}

TEST_CASE("an exception of an actor, and waiting in vain, end a run") {
    SimulatedTime failing;
    failing.start([] { throw std::invalid_argument("mine"); });
    failing.at(1, [] { FAIL("after the error"); });
    CHECK_THROWS_WITH_AS(failing.run(), "mine", std::invalid_argument);
    SimulatedTime waiting;
    waiting.start([&] { waiting.wait(&waiting); });
    CHECK_THROWS_AS(waiting.run(), RuntimeError);
}

TEST_CASE("cores take what is ready by priority, and in turn") {
    SimulatedTime time;
    SimulatedWorkers workers(time, {2, 0});
    std::string order;
    const auto add = [&](char name, int priority) {
        workers.add_for_cores(priority, [&, name](index_t) {
            order += name;
            time.at(time.now() + 1, [&] { workers.end_on_core(1); });
        });
    };
    for (const char name : {'a', 'b', 'c', 'd'}) add(name, name == 'd' ? 1 : 0);
    time.run();
    CHECK(order == "abdc");
    CHECK(time.now() == 2);
    CHECK(workers.busy_core_seconds() == 4);
}

TEST_CASE("steps follow those that write what they read, and those that read what they write") {
    StepGraph graph;
    std::string order;
    bool is_unused = false;
    OrderedData& data = graph.add_data();
    const auto step = [&](char name, bool writes) {
        auto s = std::make_shared<Step>();
        s->begin = [&order, name] { order += name; };
        graph.use(s, data, writes);
        graph.submit(*s);
        return s;
    };
    const auto first = step('w', true), left = step('r', false), right = step('s', false), last = step('x', true);
    graph.release(data, [&] { is_unused = true; });
    CHECK(order == "w");
    graph.end(*first, 2);
    CHECK(order == "wrs");
    CHECK(left->path_seconds == 2);
    graph.end(*left, 3);
    graph.end(*right, 7);
    CHECK(order == "wrsx");
    CHECK(last->path_seconds == 7);
    CHECK_FALSE(is_unused);
    graph.end(*last, 8);
    CHECK(is_unused);
    CHECK(graph.longest_path_seconds() == 8);
}

TEST_CASE("a message leaves when both ends are ready, and one after the other") {
    const double thread = 0.25, latency = 0.5, bytes = 1;
    SimulatedTime time;
    Traffic traffic(time, two_ranks());
    Seen first, second, sent, other;
    time.at(5, [&] { traffic.send({0, 1, 7}, end_of(time, sent, 2)); });
    traffic.receive({0, 1, 7}, end_of(time, first, 4));
    traffic.send({0, 1, 8}, end_of(time, other, 0));
    time.at(5, [&] { traffic.receive({0, 1, 8}, end_of(time, second, 0)); });
    time.run();
    CHECK(sent.at == 5 + thread + 2 * latency + bytes);
    CHECK(first.at == 5 + 2 * thread + 3 * latency + bytes);
    CHECK(first.path == 4 + 2 * thread + 3 * latency + bytes);
    CHECK(first.path - 4 == traffic.message_seconds(1000));
    CHECK(second.at == first.at + bytes);  // the link is busy
}

TEST_CASE("a message that waits for the receiver's link does not keep the sender's") {
    SimulatedTime time;
    SimulatedCluster three = two_ranks();
    three.ranks = 3;
    Traffic traffic(time, three);
    std::vector<double> there(3, 0.0);
    traffic.pass(1, 0, 8000, [&] { there[0] = time.now(); });
    traffic.pass(2, 0, 4000, [&] { there[1] = time.now(); });  // behind the other one
    traffic.pass(2, 1, 4000, [&] { there[2] = time.now(); });
    time.run();
    CHECK(there[0] == 0.25 + 8 + 0.5);
    CHECK(there[1] == there[0] + 4);
    CHECK(there[2] == 0.25 + 4 + 4 + 0.5);
}

TEST_CASE("messages in both directions share no link, and those without announcement have a latency less") {
    SimulatedTime time;
    Traffic traffic(time, two_ranks());
    double there = 0, back = 0;
    traffic.pass(0, 1, 4000, [&] { there = time.now(); });
    traffic.pass(1, 0, 4000, [&] { back = time.now(); });
    time.run();
    CHECK(there == 0.25 + 4 + 0.5);
    CHECK(back == there);
}

#endif
