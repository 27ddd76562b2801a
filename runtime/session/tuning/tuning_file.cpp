// SPDX-License-Identifier: BSD-3-Clause
// The file of a tuning as JSON (docs/tuning.md#the-file).
#include <nlohmann/json.hpp>

#include "frond/base/error.hpp"
#include "frond/base/json_lines.hpp"
#include "frond/base/output_file.hpp"
#include "frond/base/regular_file.hpp"
#include "frond/tuning.hpp"

namespace frond {
namespace {

constexpr const char* schema = "frond-tuning";
/// Another one where the rules that ratios were measured against have changed.
constexpr count_t schema_version = 1;
constexpr const char* cure_without_file =
    "name another file, or make it by frond tune -o FILE; one in your folder may be removed";
constexpr const char* cure_of_file = "run frond tune again, or remove the file";
constexpr count_t most_workers = 4096, largest_tile = 1 << 16;
constexpr double most = 1e12;

MachineKind machine_of(const JsonLines& file, const nlohmann::json& object) {
    file.expect_keys(object, "machine", {"processor", "cores", "card", "cards"});
    MachineKind kind;
    kind.processor = file.text(object, "processor");
    kind.cores = static_cast<index_t>(file.whole_number(object, "cores", 1, most_workers));
    kind.card = file.text(object, "card");
    kind.cards = static_cast<index_t>(file.whole_number(object, "cards", 0, most_workers));
    return kind;
}

void read_session(const JsonLines& file, const nlohmann::json& object, Tuning& tuning) {
    file.expect_keys(object, "session", {"scheduler", "cpu_workers", "workers_per_card", "bind_workers"});
    tuning.scheduler = file.text(object, "scheduler");
    tuning.cpu_workers = static_cast<index_t>(file.whole_number(object, "cpu_workers", 0, most_workers));
    tuning.workers_per_card = static_cast<index_t>(file.whole_number(object, "workers_per_card", 0, most_workers));
    const std::string bind = file.text(object, "bind_workers");
    if (bind != "on" && bind != "off") file.refuse("bind_workers", "'bind_workers' is '" + bind + "'; give on or off");
    tuning.bind_workers = bind == "on";
}

TreeCut tree_cut_of(const JsonLines& file, const nlohmann::json& object) {
    file.expect_keys(object, "tree_cut",
                     {"tiles_along_front", "smallest_tile", "largest_tile", "card_tile", "subtrees_per_worker",
                      "operations_of_submission"});
    TreeCut cut;
    cut.tiles_along_front = file.number(object, "tiles_along_front", 0.01, most);
    cut.smallest_tile = static_cast<index_t>(file.whole_number(object, "smallest_tile", 1, largest_tile));
    cut.largest_tile = static_cast<index_t>(file.whole_number(object, "largest_tile", cut.smallest_tile, largest_tile));
    cut.card_tile = static_cast<index_t>(file.whole_number(object, "card_tile", 1, largest_tile));
    cut.subtrees_per_worker = file.number(object, "subtrees_per_worker", 0.01, most);
    cut.operations_of_submission = file.number(object, "operations_of_submission", 0, most);
    return cut;
}

void expect_schema(const JsonLines& file) {
    const nlohmann::json& root = file.root();
    file.expect_keys(root, "the file of a tuning",
                     {"schema", "version", "machine", "date", "workers", "session", "tree_cut", "mean_ratio",
                      "largest_ratio"});
    if (const std::string name = file.text(root, "schema"); name != schema)
        file.refuse("schema", "'schema' is '" + name + "', and not " + schema);
    const auto version = static_cast<count_t>(file.number(root, "version", 0, most));
    if (version != schema_version)
        file.refuse("version", "'version' is " + std::to_string(version) + ", and this Frond reads " +
                                   std::to_string(schema_version));
    for (const char* part : {"machine", "session", "tree_cut"})
        if (!root.contains(part)) file.refuse(part, std::string("'") + part + "' is missing");
}

Tuning tuning_of(const JsonLines& file) {
    expect_schema(file);
    const nlohmann::json& root = file.root();
    Tuning tuning;
    tuning.machine = machine_of(file, root["machine"]);
    tuning.date = file.text(root, "date");
    tuning.workers = static_cast<index_t>(file.whole_number(root, "workers", 1, most_workers));
    read_session(file, root["session"], tuning);
    tuning.tree_cut = tree_cut_of(file, root["tree_cut"]);
    tuning.mean_ratio = file.number(root, "mean_ratio", 0, most);
    tuning.largest_ratio = file.number(root, "largest_ratio", 0, most);
    return tuning;
}

}  // namespace

std::string text_of_tuning(const Tuning& tuning) {
    const TreeCut& cut = tuning.tree_cut;
    const nlohmann::ordered_json object = {{"schema", schema},
                                           {"version", schema_version},
                                           {"machine",
                                            {{"processor", tuning.machine.processor},
                                             {"cores", tuning.machine.cores},
                                             {"card", tuning.machine.card},
                                             {"cards", tuning.machine.cards}}},
                                           {"date", tuning.date},
                                           {"workers", tuning.workers},
                                           {"session",
                                            {{"scheduler", tuning.scheduler},
                                             {"cpu_workers", tuning.cpu_workers},
                                             {"workers_per_card", tuning.workers_per_card},
                                             {"bind_workers", tuning.bind_workers ? "on" : "off"}}},
                                           {"tree_cut",
                                            {{"tiles_along_front", cut.tiles_along_front},
                                             {"smallest_tile", cut.smallest_tile},
                                             {"largest_tile", cut.largest_tile},
                                             {"card_tile", cut.card_tile},
                                             {"subtrees_per_worker", cut.subtrees_per_worker},
                                             {"operations_of_submission", cut.operations_of_submission}}},
                                           {"mean_ratio", tuning.mean_ratio},
                                           {"largest_ratio", tuning.largest_ratio}};
    return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Tuning parse_tuning(const std::string& text, const std::string& file) try {
    return tuning_of(JsonLines(text, file));
} catch (const InvalidArgument& error) {
    throw InvalidArgument(std::string(error.what()) + "; " + cure_of_file);
}

Tuning read_tuning(const std::string& file) {
    std::string text;
    if (const std::string reason = why_not_read(file, text); !reason.empty())
        throw InvalidArgument(file + ": it cannot be read as a tuning (" + reason + "); " + cure_without_file);
    return parse_tuning(text, file);
}

void write_tuning(const Tuning& tuning, const std::string& file) {
    const std::string text = text_of_tuning(tuning);
    OutputFile out(file);
    out.write(text.data(), text.size());
    out.finish();
}

}  // namespace frond
