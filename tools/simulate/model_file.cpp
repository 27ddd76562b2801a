// SPDX-License-Identifier: BSD-3-Clause
#include "model_file.hpp"

#include "arguments/input_paths.hpp"
#include "frond/base/error.hpp"
#include "frond/base/json_lines.hpp"

#include <array>

namespace frond::cli {
namespace {

constexpr std::array<const char*, 4> term_names{"flop", "byte", "item", "row"};
/// Work that every factorization has, whatever its kind.
constexpr std::array<const char*, 7> always{"task", "submit", "start", "system", "finish", "scaling", "scaling llt"};
constexpr double most_seconds = 1e6;

/// The most seconds a row of a piece, whose rows are levels times the root of its bytes: some 1e-8 s. In older files,
/// where rows were levels, it was 1e-4 s.
constexpr double most_row_of_piece = 1e-6;

void expect_rows_of_today(const JsonLines& file, const TimeModel& model, const std::string& kind) {
    if (kind.starts_with("card factor_piece") && model.per_term.back() > most_row_of_piece)
        file.refuse("row", "'row' of '" + kind +
                               "' is a time for each level, as Frond recorded it until 2026-11-27; make models "
                               "anew by frond calibrate");
}

TimeModel model_of(const JsonLines& file, const nlohmann::json& object, const std::string& kind) {
    file.expect_keys(object, kind, {"seconds", "flop", "byte", "item", "row"});
    TimeModel model;
    model.seconds = file.number(object, "seconds", 0, most_seconds);
    for (std::size_t i = 0; i < term_names.size(); ++i)
        if (object.contains(term_names[i])) model.per_term[i] = file.number(object, term_names[i], 0, most_seconds);
    expect_rows_of_today(file, model, kind);
    return model;
}

}  // namespace

std::string model_folder_of(const std::string& given, const SimulatedMachine& machine) {
    if (!given.empty()) return given;
    if (machine.models.empty())
        throw InvalidArgument(
            "the machine '" + machine.name +
            "' names no models; make some by frond calibrate -o DIR, for --model DIR, or give another "
            "--machine, such as h200");
    const std::string folder = shipped_models(machine.models);
    if (folder.empty())
        throw InvalidArgument("the machine " + machine.name + " names the models '" + machine.models +
                              "', which are not shipped; give others by --model DIR");
    return folder;
}

ModelFile parse_models(std::string_view text, const std::string& name) {
    JsonLines file(text, name);
    const nlohmann::json& root = file.root();
    file.expect_keys(root, "the file of models", {"processor", "date", "kinds"});
    ModelFile result{file.text(root, "processor"), file.text(root, "date"), {}};
    if (!root.contains("kinds") || !root["kinds"].is_object())
        file.refuse("kinds", "'kinds' must be an object { ... }");
    for (const char* kind : always)
        if (!root["kinds"].contains(kind)) file.refuse("kinds", "the model of '" + std::string(kind) + "' is missing");
    for (const auto& [kind, object] : root["kinds"].items()) {
        file.go_back();
        file.go_on_at("\"" + kind + "\"");
        result.models[kind] = model_of(file, object, kind);
    }
    return result;
}

ModelFile read_models(const std::string& folder) {
    const std::string file = folder + "/" + model_file_name;
    return parse_models(read_text(file, "make one by frond calibrate -o DIR, for --model DIR"), file);
}

std::string text_of_models(const ModelFile& file) {
    nlohmann::ordered_json object = {{"processor", file.processor}, {"date", file.date}};
    for (const auto& [kind, model] : file.models) {
        nlohmann::ordered_json& entry = object["kinds"][kind];
        entry["seconds"] = model.seconds;
        for (std::size_t i = 0; i < term_names.size(); ++i)
            if (model.per_term[i] > 0) entry[term_names[i]] = model.per_term[i];
    }
    return object.dump(2) + "\n";
}

TimeModels at_speed(TimeModels models, double speed) {
    for (auto& [kind, model] : models) {
        if (kind.starts_with(on_card)) continue;
        model.seconds /= speed;
        for (double& term : model.per_term) term /= speed;
    }
    return models;
}

}  // namespace frond::cli
