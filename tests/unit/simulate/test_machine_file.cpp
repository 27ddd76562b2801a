// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/ranks_of_simulation.hpp"
#include "simulate/machine_file.hpp"
#include "simulate/model_file.hpp"
#include "simulate/platform.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace frond;
using namespace frond::cli;

namespace {

std::string refusal(const std::string& text) {
    try {
        static_cast<void>(parse_machine(text, "m.json"));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

bool begins(const std::string& text, const std::string& with) { return text.starts_with(with); }

constexpr const char* two_cards = R"({
  "name": "two cards",
  "cores": 3,
  "memory_bytes": 1073741824,
  "cards": [
    {"model": "a", "count": 2, "memory_bytes": 2000000000, "link_bytes_per_second": 5e9, "link_seconds": 1e-5,
     "peer_bytes_per_second": 3e10, "product_flops": 7e12, "product_source": "a data sheet"}
  ]
})";

}  // namespace

TEST_CASE("a machine file is read and written") {
    const SimulatedMachine machine = parse_machine(two_cards, "m.json");
    CHECK(machine.name == "two cards");
    CHECK(machine.about.empty());
    CHECK(machine.cores == 3);
    CHECK(machine.memory_bytes == 1073741824);
    CHECK(machine.core_speed == 1);
    REQUIRE(machine.cards.size() == 1);
    CHECK(machine.cards[0].link_bytes_per_second == 5e9);
    CHECK(machine.card_count() == 2);
    const SimulatedMachine again = parse_machine(text_of_machine(machine), "again");
    CHECK(text_of_machine(again) == text_of_machine(machine));
    CHECK(again.cards[0].memory_bytes == 2000000000);
    CHECK(again.cards[0].peer_bytes_per_second == 3e10);
    CHECK(again.cards[0].product_flops == 7e12);
    CHECK(again.cards[0].product_source == "a data sheet");
}

TEST_CASE("wrong machine files are refused with file, line and reason") {
    CHECK(begins(refusal("{\n\"name\": \"x\",\n\"cores\": 2,,\n}"), "m.json line 3: it is not JSON"));
    CHECK(begins(refusal("{\n\"name\": \"x\",\n\"cores\": 2}"), "m.json line 1: 'memory_bytes' is missing"));
    std::string of_cards_alone = two_cards;
    of_cards_alone.erase(of_cards_alone.find("  \"memory_bytes\": 1073741824,"), 29);
    CHECK(begins(refusal(of_cards_alone), "m.json line 1: 'memory_bytes' is missing"));
    CHECK(begins(refusal("{\n\"name\": \"x\",\n\"cores\": 0,\n\"memory_bytes\": 1e9}"),
                 "m.json line 3: 'cores' is 0; it must be a number in 1 .. 128"));
    CHECK(
        begins(refusal("{\"name\": \"x\",\n\"cores\": 2.5,\n\"memory_bytes\": 1e9}"), "m.json line 2: 'cores' is 2.5"));
    CHECK(begins(refusal("{\"name\": \"x\",\n\"cores\": \"two\",\n\"memory_bytes\": 1e9}"),
                 "m.json line 2: 'cores' is \"two\""));
    CHECK(begins(refusal("{\"cores\": 2,\n\"name\": \"\",\n\"memory_bytes\": 1e9}"), "m.json line 2: 'name' is empty"));
    CHECK(begins(refusal("{\"name\": 7,\n\"cores\": 2,\n\"memory_bytes\": 1e9}"), "m.json line 1: 'name' is 7"));
    CHECK(begins(refusal("{\"name\": \"x\",\n\"cores\": 2,\n\"memory_bytes\": 1e9,\n\"speed\": 2}"),
                 "m.json line 4: the machine has no 'speed'; it has name, about"));
    CHECK(begins(refusal("{\"name\": \"x\",\n\"cores\": 2,\n\"memory_bytes\": 1e9,\n\"cards\": 3}"),
                 "m.json line 4: 'cards' must be a list"));
    CHECK(begins(refusal("[]"), "m.json line 1: the machine must be an object"));
    CHECK(refusal("{\"name\": \"x\",\n\"cores\": 2,\n\"memory_bytes\": 1e9,\n\"cores\": 3}") ==
          "m.json line 4: 'cores' is there for the second time");
    std::string sourceless = two_cards;
    sourceless.replace(sourceless.find(", \"product_source\": \"a data sheet\""), 34, "");
    CHECK(begins(refusal(sourceless), "m.json line 6: 'product_source' is missing"));
    std::string nine = two_cards;
    nine.replace(nine.find("\"count\": 2"), 10, "\"count\": 9");
    CHECK(begins(refusal(nine), "m.json line 6: 'count' is 9; it must be a number in 1 .. 8"));
}

TEST_CASE("a key of several objects is no second one, and the line is that of the key that is") {
    const std::string two = R"({"name": "x", "cores": 2, "memory_bytes": 1e9, "cards": [
  {"model": "cores", "count": 1, "memory_bytes": 1e9, "link_bytes_per_second": 1e9, "link_seconds": 0},
  {"model": "b", "count": 1, "memory_bytes": 1e9, "link_bytes_per_second": 1e9, "link_seconds": 0LAST}
]})";
    const auto with = [&](const std::string& last) {
        std::string text = two;
        return text.replace(text.find("LAST"), 4, last);
    };
    CHECK(refusal(with("")) == "accepted");
    CHECK(begins(refusal(R"({"name": "x", "cores": 2, "cards": [
  {"model": "m\"memory_bytes\":", "count": 1, "memory_bytes": 1e9, "link_bytes_per_second": 1e9, "link_seconds": 0}],
"memory_bytes": 7})"),
                 "m.json line 3: 'memory_bytes' is 7"));
    CHECK(refusal(with(",\n\"model\" : \"c\"")) == "m.json line 4: 'model' is there for the second time");
}

TEST_CASE("shipped machines are read by name") {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(FROND_SOURCE_DIR) + "/machines")) {
        if (entry.path().extension() != ".json") continue;
        const std::string name = entry.path().stem();
        CAPTURE(name);
        const SimulatedMachine machine = read_machine(name);
        CHECK(machine.name == name);
        CHECK(!read_models(model_folder_of("", machine)).models.empty());
        ++count;
    }
    CHECK(count >= 6);
    CHECK(read_machine("h200").card_count() == 1);
    CHECK(read_machine("this").cores >= 1);
    CHECK_THROWS_WITH_AS(
        read_machine("no-such-machine"),
        "--machine no-such-machine: there is no such machine; there are cores-128, cores-64, h200, "
        "h200-x2, h200-x8, mi300x-x8, nodes-16, nodes-16-h200, nodes-16-h200-x8, nodes-64, nodes-64-h200, "
        "nodes-64-h200-x8 and this; or give a machine file (docs/machines.md)",
        InvalidArgument);
    CHECK_THROWS_AS(read_machine("./no-such-file.json"), InvalidArgument);
}

TEST_CASE("models are those that are given, else those of the machine") {
    SimulatedMachine machine = read_machine("cores-64");
    CHECK(model_folder_of("here", machine) == "here");
    machine.models = "no-such-models";
    CHECK_THROWS_AS(model_folder_of("", machine), InvalidArgument);
    machine.models.clear();
    CHECK_THROWS_WITH_AS(
        model_folder_of("", machine),
        "the machine 'cores-64' names no models; make some by frond calibrate -o DIR, for --model DIR, or give another "
        "--machine, such as h200",
        InvalidArgument);
}

TEST_CASE("schedulers that stand still beside cards are refused") {
    const SimulatedMachine with_cards = parse_machine(two_cards, "m.json");
    for (const char* deque : {"lws", "ws", "random"})
        CHECK_THROWS_AS(expect_simulated_cards(CommandLine(), with_cards, deque), InvalidArgument);
    for (const char* other : {"", "dmdas", "prio", "eager"})
        CHECK_NOTHROW(expect_simulated_cards(CommandLine(), with_cards, other));
}

TEST_CASE("SimGrid's file has a host for each worker, and a link in each direction for each card") {
    const std::string platform = platform_of(parse_machine(two_cards, "m.json"));
    for (const char* part :
         {"<host id=\"MAIN\"", "<host id=\"RAM\"", "<host id=\"CPU0\"", "<host id=\"CPU2\"", "<host id=\"CUDA1\"",
          "<link id=\"RAM-CUDA0\" bandwidth=\"5000000000Bps\" latency=\"1e-05s\"/>", "<link id=\"CUDA1-RAM\"",
          "<route src=\"CUDA0\" dst=\"RAM\"", "<prop id=\"memcpy_peer\" value=\"1\"/>",
          "<link id=\"CUDA1-in\" bandwidth=\"30000000000Bps\"", "<route src=\"CUDA1\" dst=\"CUDA0\"",
          "<prop id=\"memsize\" value=\"2000000000\"/>"}) {
        CAPTURE(part);
        CHECK(platform.find(part) != std::string::npos);
    }
    CHECK(platform.find("CPU3") == std::string::npos);
    CHECK(platform.find("CUDA2") == std::string::npos);
}

TEST_CASE("the folder for StarPU is there as long as its object") {
    std::string path;
    {
        const SimulatedMachine machine = parse_machine(two_cards, "m.json");
        const PlatformFolder folder(machine);
        path = folder.path();
        std::ostringstream written;
        written << std::ifstream(path + "/bus/simulated.platform.v4.xml").rdbuf();
        CHECK(written.str() == platform_of(machine));
        std::ostringstream bandwidths;
        bandwidths << std::ifstream(path + "/bus/simulated.bandwidth").rdbuf();
        CHECK(bandwidths.str() == "0\t5000\t5000\t\n5000\t0\t30000\t\n5000\t30000\t0\t\n");
        CHECK(std::filesystem::exists(path + "/bus/simulated.latency"));
    }
    CHECK(!std::filesystem::exists(path));
}

TEST_CASE("a machine of several nodes has a network between them") {
    const std::string nodes = R"({"name": "x", "cores": 2, "memory_bytes": 1e9,
"nodes": 4,
"network": {"bytes_per_second": 1e10, "latency_seconds": 1e-6,
 "message_seconds": 2e-6}})";
    const SimulatedMachine machine = parse_machine(nodes, "m.json");
    CHECK(machine.nodes == 4);
    CHECK(machine.network.bytes_per_second == 1e10);
    CHECK(machine.network.latency_seconds == 1e-6);
    CHECK(machine.network.message_seconds == 2e-6);
    CHECK(text_of_machine(parse_machine(text_of_machine(machine), "again")) == text_of_machine(machine));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = nodes;
        return refusal(text.replace(text.find(from), from.size(), to));
    };
    CHECK(with("\"nodes\": 4", "\"nodes\": 0") == "m.json line 2: 'nodes' is 0; it must be a number in 1 .. 1024");
    CHECK(with("\"nodes\": 4,", "") == "m.json line 3: one node has no 'network'; say how many 'nodes' there are");
    CHECK(begins(with("1e10", "0"), "m.json line 3: 'bytes_per_second' is 0"));
    CHECK(begins(with(",\n \"message_seconds\": 2e-6", ""), "m.json line 3: 'message_seconds' is missing"));
    CHECK(begins(with("\"latency_seconds\": 1e-6", "\"latency\": 1e-6"), "m.json line 3: network has no 'latency'"));
    CHECK(refusal("{\"name\": \"x\", \"cores\": 2, \"memory_bytes\": 1e9,\n\"nodes\": 2}") ==
          "m.json line 2: 2 nodes need a 'network'");
}
