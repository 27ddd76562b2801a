// SPDX-License-Identifier: BSD-3-Clause
#include "pivot_file.hpp"

#include "frond/base/error.hpp"
#include "frond/enum_text.hpp"
#include "arguments/input_paths.hpp"
#include "frond/base/json_lines.hpp"

#include <fmt/format.h>

#include <charconv>

namespace frond::cli {
namespace {

constexpr count_t format_version = 1, most_count = count_t{1} << 40;
constexpr double most_flops = 1e30;

std::string text_of(const RecordedFront& front) {
    std::string panels;
    for (const RecordedPanel& panel : front.panels)
        panels += fmt::format("{}[{},{},{}]", panels.empty() ? "" : ",", panel.rows, panel.columns, panel.kept);
    const RecordedSecondPass& pass = front.second_pass;
    return fmt::format(
        R"({{"front": {}, "rows": {}, "columns": {}, "kept": {}, "search_flops": {}, "tried": {}, "panels": [{}]}})",
        front.front, pass.rows, pass.columns, pass.kept, pass.search_flops,
        front.tried_rows     ? 2
        : front.tried_pivots ? 1
                             : 0,
        panels);
}

std::string text_of(const RecordedRun& run) {
    std::string fronts;
    for (const RecordedFront& front : run.fronts)
        fronts += (fronts.empty() ? "\n      " : ",\n      ") + text_of(front);
    return fmt::format(R"(    {{"threshold": {}, "delayed": {}, "second_pass": {}, "fronts": [{}]}})",
                       run.threshold ? 1 : 0, run.delayed, run.second_pass, fronts);
}

std::uint64_t hash_of(const JsonLines& file, const std::string& key) {
    const std::string text = file.text(file.root(), key);
    std::uint64_t hash = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (failure != std::errc() || end != text.data() + text.size())
        file.refuse(key, fmt::format("'{}' must be a hexadecimal number in quotation marks", key));
    return hash;
}

index_t index_of(const JsonLines& file, const nlohmann::json& object, const std::string& key) {
    return static_cast<index_t>(file.whole_number(object, key, 0, (count_t{1} << 31) - 1));
}

const nlohmann::json& array_of(const JsonLines& file, const nlohmann::json& object, const std::string& key) {
    if (!object.contains(key) || !object[key].is_array())
        file.refuse(key, fmt::format("'{}' must be an array [ ... ]", key));
    return object[key];
}

RecordedPanel panel_of(const JsonLines& file, const nlohmann::json& triple) {
    RecordedPanel panel;
    index_t* const numbers[] = {&panel.rows, &panel.columns, &panel.kept};
    const bool is_triple = triple.is_array() && triple.size() == std::size(numbers);
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!is_triple || !triple[i].is_number_unsigned() || triple[i].get<std::uint64_t>() >= std::uint64_t{1} << 31)
            file.refuse("panels", "'panels' must be an array of [rows, columns, kept], three whole numbers each");
        *numbers[i] = triple[i].get<index_t>();
    }
    return panel;
}

RecordedFront front_of(JsonLines& file, const nlohmann::json& object) {
    file.go_on_at("\"front\"");
    file.expect_keys(object, "a front", {"front", "rows", "columns", "kept", "search_flops", "tried", "panels"});
    RecordedFront front;
    front.front = index_of(file, object, "front");
    front.second_pass = {index_of(file, object, "rows"), index_of(file, object, "columns"),
                         index_of(file, object, "kept"), file.number(object, "search_flops", 0, most_flops)};
    const count_t tried = file.whole_number(object, "tried", 0, 2);
    front.tried_pivots = tried > 0;
    front.tried_rows = tried > 1;
    for (const nlohmann::json& triple : array_of(file, object, "panels"))
        front.panels.push_back(panel_of(file, triple));
    return front;
}

RecordedRun run_of(JsonLines& file, const nlohmann::json& object, std::uint64_t analysis) {
    file.go_on_at("\"threshold\"");
    file.expect_keys(object, "a run", {"threshold", "delayed", "second_pass", "fronts"});
    RecordedRun run;
    run.analysis = analysis;
    run.threshold = file.whole_number(object, "threshold", 0, 1) == 1;
    run.delayed = file.whole_number(object, "delayed", 0, most_count);
    run.second_pass = file.whole_number(object, "second_pass", 0, most_count);
    for (const nlohmann::json& front : array_of(file, object, "fronts")) run.fronts.push_back(front_of(file, front));
    return run;
}

}  // namespace

PivotFile pivot_file_of(const Analysis& analysis, const std::string& matrix, std::vector<RecordedRun> runs) {
    if (runs.empty())
        throw RuntimeError(
            "no pivots were recorded: a card factored the whole tree; take --gpus 0, or --factor-place "
            "tasks, to record those of tasks");
    PivotFile file;
    file.matrix = matrix;
    file.pattern = analysis.pattern_hash;
    file.analysis = runs.back().analysis;
    file.factorization = to_string(analysis.factorization);
    file.workers = analysis.mapping.workers;
    file.tile_size = analysis.options.tile_size;
    file.runs = std::move(runs);
    return file;
}

std::string text_of_pivots(const PivotFile& file) {
    std::string runs;
    for (const RecordedRun& run : file.runs) runs += (runs.empty() ? "\n" : ",\n") + text_of(run);
    return fmt::format(
        "{{\n  \"frond_pivots\": {},\n  \"matrix\": {},\n  \"pattern\": \"{:016x}\",\n  \"analysis\": \"{:016x}\",\n"
        "  \"factorization\": \"{}\",\n  \"workers\": {},\n  \"tile_size\": {},\n  \"runs\": [{}\n  ]\n}}\n",
        format_version, nlohmann::json(file.matrix).dump(), file.pattern, file.analysis, file.factorization,
        file.workers, file.tile_size, runs);
}

PivotFile parse_pivots(std::string_view text, const std::string& name) {
    JsonLines file(text, name);
    const nlohmann::json& root = file.root();
    file.expect_keys(root, "the file of pivots",
                     {"frond_pivots", "matrix", "pattern", "analysis", "factorization", "workers", "tile_size",
                      "runs"});
    const count_t version = file.whole_number(root, "frond_pivots", 0, most_count);
    if (version != format_version)
        file.refuse("frond_pivots", fmt::format("the file has version {}, and this frond reads {}; record it anew by "
                                                "frond solve --record-pivots FILE",
                                                version, format_version));
    PivotFile pivots;
    pivots.matrix = file.text(root, "matrix");
    pivots.pattern = hash_of(file, "pattern");
    pivots.analysis = hash_of(file, "analysis");
    pivots.factorization = file.text(root, "factorization");
    pivots.workers = index_of(file, root, "workers");
    pivots.tile_size = index_of(file, root, "tile_size");
    for (const nlohmann::json& run : array_of(file, root, "runs"))
        pivots.runs.push_back(run_of(file, run, pivots.analysis));
    if (pivots.runs.empty()) file.refuse("runs", "'runs' is empty");
    return pivots;
}

PivotFile read_pivots(const std::string& name) {
    return parse_pivots(read_text(name, "make one by frond solve --record-pivots FILE"), name);
}

void expect_pivots_of(const PivotFile& file, const std::string& name, const Analysis& analysis, bool threshold) {
    const auto refuse = [&name](const std::string& reason) {
        throw InvalidArgument("--pivots " + name + ": " + reason);
    };
    if (file.pattern != analysis.pattern_hash)
        refuse(fmt::format("it is of another matrix, {}; record it anew by frond solve --record-pivots", file.matrix));
    if (file.factorization != to_string(analysis.factorization))
        refuse(fmt::format("it is of {0}, and this factorization is {1}; give --factorization {0}, or record it anew",
                           file.factorization, to_string(analysis.factorization)));
    if (file.analysis != fingerprint_of(analysis))
        refuse(fmt::format(
            "it is of another analysis, cut for {} workers with tiles of {}, and this one for {} with "
            "tiles of {}; give the same --workers, --tile-size and --ordering to frond solve "
            "--record-pivots and to frond simulate",
            file.workers, file.tile_size == 0 ? "automatic size" : std::to_string(file.tile_size),
            analysis.mapping.workers,
            analysis.options.tile_size == 0 ? "automatic size" : std::to_string(analysis.options.tile_size)));
    for (const RecordedRun& run : file.runs) {
        if (run.threshold != threshold)
            refuse(fmt::format("its pivots were {}, and here they are {}; give the same --pivoting",
                               run.threshold ? "tested against a threshold" : "not tested",
                               threshold ? "tested" : "not tested"));
        try {
            expect_run_of(analysis, run);
        } catch (const InvalidArgument& error) {
            refuse(std::string(error.what()) + "; record it anew by frond solve --record-pivots");
        }
    }
}

}  // namespace frond::cli
