// SPDX-License-Identifier: BSD-3-Clause
#include "machine_file.hpp"

#include "arguments/input_paths.hpp"
#include "frond/base/error.hpp"
#include "frond/base/json_lines.hpp"
#include "this_machine.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <filesystem>
#include <set>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

constexpr count_t least_memory = count_t{1} << 20, most_memory = count_t{1} << 50;
constexpr const char* cure = "give a machine file (docs/machines.md), the name of one in machines/, or this";

SimulatedCards cards_of(const JsonLines& file, const nlohmann::json& object) {
    file.expect_keys(object, "cards",
                     {"model", "count", "memory_bytes", "link_bytes_per_second", "link_seconds",
                      "peer_bytes_per_second", "product_flops", "product_source"});
    SimulatedCards cards;
    cards.model = file.text(object, "model");
    cards.count = static_cast<index_t>(file.whole_number(object, "count", 1, most_simulated_cards));
    cards.memory_bytes = file.whole_number(object, "memory_bytes", least_memory, most_memory);
    cards.link_bytes_per_second = file.number(object, "link_bytes_per_second", 1e6, 1e13);
    cards.link_seconds = file.number(object, "link_seconds", 0, 1);
    if (object.contains("peer_bytes_per_second"))
        cards.peer_bytes_per_second = file.number(object, "peer_bytes_per_second", 1e6, 1e13);
    if (object.contains("product_flops")) {
        cards.product_flops = file.number(object, "product_flops", 1e9, 1e16);
        cards.product_source = file.text(object, "product_source");
    }
    return cards;
}

NodeNetwork network_of(const JsonLines& file, const nlohmann::json& object) {
    file.expect_keys(object, "network", {"bytes_per_second", "latency_seconds", "message_seconds"});
    NodeNetwork network;
    network.bytes_per_second = file.number(object, "bytes_per_second", 1e6, 1e13);
    network.latency_seconds = file.number(object, "latency_seconds", 0, 1);
    network.message_seconds = file.number(object, "message_seconds", 0, 1);
    return network;
}

/// One needs the other.
void read_nodes(JsonLines& file, const nlohmann::json& root, SimulatedMachine& machine) {
    if (root.contains("nodes"))
        machine.nodes = static_cast<index_t>(file.whole_number(root, "nodes", 1, most_simulated_nodes));
    if (machine.nodes > 1 && !root.contains("network"))
        file.refuse("nodes", fmt::format("{} nodes need a 'network'", machine.nodes));
    if (!root.contains("network")) return;
    if (machine.nodes == 1) file.refuse("network", "one node has no 'network'; say how many 'nodes' there are");
    file.go_on_at("\"network\"");
    machine.network = network_of(file, root["network"]);
    file.go_back();
}

/// Folders with what is shipped: where the program is installed, or next to the sources of a build.
std::vector<fs::path> shipped_folders() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    return {program.parent_path() / "share" / "frond" / "machines", fs::path(FROND_MACHINES)};
}

fs::path shipped(const std::string& name) {
    std::error_code ignored;
    for (const fs::path& folder : shipped_folders())
        if (const fs::path file = folder / (name + ".json"); fs::is_regular_file(file, ignored)) return file;
    return {};
}

/// "a, b and c" of those that are shipped.
std::string names_of_shipped() {
    std::set<std::string> names;
    for (const fs::path& folder : shipped_folders()) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder, none))
            if (entry.path().extension() == ".json") names.insert(entry.path().stem());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// A file that describes more is refused in the same way.
SimulatedMachine this_machine_as_simulated(bool with_cards) {
    SimulatedMachine machine = this_machine(with_cards);
    if (machine.cores > most_simulated_cores)
        throw InvalidArgument(fmt::format(
            "--machine this: it has {} cores, more than the {} that can be simulated; give a machine file with fewer "
            "(docs/machines.md), or let frond run on fewer, by taskset -c 0-{}",
            machine.cores, most_simulated_cores, most_simulated_cores - 1));
    return machine;
}

}  // namespace

index_t SimulatedMachine::card_count() const noexcept {
    index_t sum = 0;
    for (const SimulatedCards& some : cards) sum += some.count;
    return sum;
}

SimulatedMachine parse_machine(std::string_view text, const std::string& name) {
    JsonLines file(text, name);
    const nlohmann::json& root = file.root();
    file.expect_keys(root, "the machine",
                     {"name", "about", "nodes", "network", "cores", "memory_bytes", "core_speed", "cards", "models"});
    SimulatedMachine machine;
    machine.name = file.text(root, "name");
    if (machine.name.empty()) file.refuse("name", "'name' is empty; call the machine something, as results name it");
    if (root.contains("about")) machine.about = file.text(root, "about");
    machine.cores = static_cast<index_t>(file.whole_number(root, "cores", 1, most_simulated_cores));
    machine.memory_bytes = file.whole_number(root, "memory_bytes", least_memory, most_memory);
    read_nodes(file, root, machine);
    if (root.contains("models")) machine.models = file.text(root, "models");
    if (root.contains("core_speed")) machine.core_speed = file.number(root, "core_speed", 1e-3, 1e3);
    if (root.contains("cards")) {
        if (!root["cards"].is_array()) file.refuse("cards", "'cards' must be a list [ ... ]");
        file.go_on_at("\"cards\"");
        for (const nlohmann::json& some : root["cards"]) {
            file.go_on_at("{");
            machine.cards.push_back(cards_of(file, some));
        }
    }
    if (machine.card_count() > most_simulated_cards)
        file.go_back(), file.refuse("cards", fmt::format("{} cards are more than the {} that can be simulated",
                                                         machine.card_count(), most_simulated_cards));
    return machine;
}

SimulatedMachine read_machine(const std::string& name, bool with_cards) {
    if (name == "this") return this_machine_as_simulated(with_cards);
    const bool is_name = name.find_first_of("./") == std::string::npos;
    const fs::path file = is_name ? shipped(name) : fs::path(name);
    if (file.empty())
        throw InvalidArgument(fmt::format(
            "--machine {}: there is no such machine; there are {} and this; or give a machine file (docs/machines.md)",
            name, names_of_shipped()));
    return parse_machine(read_text(file.string(), cure), file.string());
}

void expect_cores(const SimulatedMachine& machine, index_t cpu_workers) {
    if (cpu_workers > machine.cores)
        throw InvalidArgument(
            fmt::format("--cpu-workers {}: the machine {} has {} cores", cpu_workers, machine.name, machine.cores));
}

std::string shipped_models(const std::string& name) {
    std::error_code ignored;
    for (const fs::path& folder : shipped_folders())
        if (const fs::path models = folder / "models" / name; fs::is_directory(models, ignored)) return models;
    return {};
}

namespace {

nlohmann::ordered_json json_of(const SimulatedCards& some) {
    nlohmann::ordered_json cards = {{"model", some.model},
                                    {"count", some.count},
                                    {"memory_bytes", some.memory_bytes},
                                    {"link_bytes_per_second", some.link_bytes_per_second},
                                    {"link_seconds", some.link_seconds}};
    if (some.peer_bytes_per_second > 0) cards["peer_bytes_per_second"] = some.peer_bytes_per_second;
    if (some.product_flops > 0) cards["product_flops"] = some.product_flops;
    if (!some.product_source.empty()) cards["product_source"] = some.product_source;
    return cards;
}

}  // namespace

std::string text_of_machine(const SimulatedMachine& machine) {
    nlohmann::ordered_json object = {{"name", machine.name},
                                     {"about", machine.about},
                                     {"cores", machine.cores},
                                     {"memory_bytes", machine.memory_bytes},
                                     {"core_speed", machine.core_speed}};
    if (machine.nodes > 1) {
        object["nodes"] = machine.nodes;
        object["network"] = {{"bytes_per_second", machine.network.bytes_per_second},
                             {"latency_seconds", machine.network.latency_seconds},
                             {"message_seconds", machine.network.message_seconds}};
    }
    if (!machine.models.empty()) object["models"] = machine.models;
    for (const SimulatedCards& some : machine.cards) object["cards"].push_back(json_of(some));
    return object.dump(2) + "\n";
}

}  // namespace frond::cli
