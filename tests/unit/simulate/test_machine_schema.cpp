// SPDX-License-Identifier: BSD-3-Clause
// docs/machine.schema.json and the reader of machine files say the same.
#include "simulate/machine_file.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::cli;

namespace {

using MachineJson = nlohmann::json;

const std::string schema_file = std::string(FROND_SOURCE_DIR) + "/docs/machine.schema.json";

bool is_accepted(const MachineJson& machine) {
    try {
        static_cast<void>(parse_machine(machine.dump(), "m.json"));
    } catch (const InvalidArgument&) {
        return false;
    }
    return true;
}

/// With all fields.
MachineJson whole_machine() {
    return MachineJson::parse(R"({"name": "x", "about": "", "cores": 2, "memory_bytes": 1000000000, "core_speed": 1.5,
        "models": "cores", "nodes": 3,
        "network": {"bytes_per_second": 1e9, "latency_seconds": 1e-6, "message_seconds": 1e-5},
        "cards": [{"model": "c", "count": 1, "memory_bytes": 1000000000, "link_bytes_per_second": 1e9,
                   "link_seconds": 0, "peer_bytes_per_second": 1e9, "product_flops": 1e12, "product_source": "s"}]})");
}

/// An object of the schema, and where the same object is in the machine.
struct SchemaPart {
    const MachineJson& schema;
    MachineJson::json_pointer place;
};

std::vector<SchemaPart> parts_of(const MachineJson& schema) {
    return {{schema, MachineJson::json_pointer("")},
            {schema["properties"]["network"], MachineJson::json_pointer("/network")},
            {schema["properties"]["cards"]["items"], MachineJson::json_pointer("/cards/0")}};
}

bool accepts(const MachineJson::json_pointer& place, const MachineJson& value) {
    MachineJson machine = whole_machine();
    machine[place] = value;
    if (machine["nodes"] == 1) machine.erase("network");  // which is between nodes
    return is_accepted(machine);
}

}  // namespace

TEST_CASE("the schema of machine files has the keys and bounds of their reader") {
    std::ifstream file(schema_file);
    const MachineJson schema = MachineJson::parse(file);
    REQUIRE(is_accepted(whole_machine()));
    for (const SchemaPart& part : parts_of(schema)) {
        const MachineJson here = whole_machine()[part.place];
        CHECK(part.schema["additionalProperties"] == false);
        CHECK(here.size() == part.schema["properties"].size());
        for (const auto& [key, rule] : part.schema["properties"].items()) {
            const std::string name = key;
            CAPTURE(name);
            CHECK(here.contains(name));
            if (!rule.contains("minimum")) continue;
            for (const char* bound : {"minimum", "maximum"}) CHECK(accepts(part.place / name, rule[bound]));
            CHECK_FALSE(accepts(part.place / name, rule["minimum"].get<double>() - 1e-4));
            CHECK_FALSE(accepts(part.place / name, rule["maximum"].get<double>() * 1.001));
            CHECK(accepts(part.place / name, 1.5) ==
                  (rule["type"] == "number" && rule["maximum"] > 1.5 && rule["minimum"] < 1.5));
        }
        for (const MachineJson& key : part.schema["required"]) {
            MachineJson machine = whole_machine();
            machine[part.place].erase(key.get<std::string>());
            CAPTURE(machine.dump());
            CHECK_FALSE(is_accepted(machine));
        }
    }
}

TEST_CASE("machines that are shipped have no key that the schema lacks") {
    std::ifstream file(schema_file);
    const MachineJson schema = MachineJson::parse(file);
    for (const auto& entry : std::filesystem::directory_iterator(std::string(FROND_SOURCE_DIR) + "/machines")) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream text(entry.path());
        const MachineJson machine = MachineJson::parse(text);
        for (const auto& [key, value] : machine.items()) {
            const std::string name = key;
            CAPTURE(name);
            CHECK(schema["properties"].contains(name));
        }
    }
}
