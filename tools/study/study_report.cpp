// SPDX-License-Identifier: BSD-3-Clause
#include "study_report.hpp"

#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frond::cli {
namespace {

std::string facts_of_case(const StudyCase& c, double ratio) {
    std::string text = fmt::format("{:.2f} of the best", ratio);
    if (const auto run = median_run(c))
        text += fmt::format(", really {} ({}{})", text_of_seconds(*run), counted(std::ssize(c.run_seconds), "run"),
                            c.run_on_cards ? " with cards" : "");
    if (c.bounds) text += ", bound " + text_of_seconds(c.bounds->largest());
    if (c.flops > 0) text += ", " + text_of_rate(c.flops / c.seconds);
    return text + ", " + counted(c.tasks, "task");
}

bool is_in_pieces(const StudyCase& c) { return c.in_pieces; }

Json bounds_json_of(const StudyCase& c) {
    if (!c.bounds) return nullptr;
    return {{"work_seconds", c.bounds->work},
            {"path_seconds", c.bounds->path},
            {"submit_seconds", c.bounds->submission}};
}

/// A field of a table with commas, whatever is in it: quotes within it are doubled (RFC 4180).
std::string quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + '"';
}

std::string text_or_nothing(const std::optional<double>& seconds) {
    return seconds ? fmt::format("{}", *seconds) : std::string();
}

}  // namespace

std::string text_of_pieces(const std::vector<StudyCase>& cases) {
    const auto count = std::count_if(cases.begin(), cases.end(), is_in_pieces);
    if (count == 0) return {};
    return fmt::format(
        "\n  {} of {}: the tree goes to the cards in pieces, each to a card that is chosen before the first task, so "
        "that\n  schedulers have no influence; --factor-place tasks compares them on the tiles of fronts\n",
        count, counted(std::ssize(cases), "case"));
}

std::string study_table(const std::vector<StudyCase>& cases, const Style& style) {
    Table table;
    const std::vector<double> ratios = ratios_to_best(cases);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const StudyCase& c = cases[k];
        if (k == 0 || c.matrix != cases[k - 1].matrix || c.machine != cases[k - 1].machine)
            table.section(c.matrix, c.machine);
        table.row(choice_text(c), text_of_seconds(c.seconds), facts_of_case(c, ratios[k]));
    }
    return table.text(style) + text_of_pieces(cases);
}

Json study_json(const std::vector<StudyCase>& cases, bool replayed, bool interrupted) {
    const std::vector<double> ratios = ratios_to_best(cases);
    Json object = {
        {"frond", session_json({})}, {"simulated", true}, {"replayed", replayed}, {"interrupted", interrupted}};
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const StudyCase& c = cases[k];
        const auto run = median_run(c);
        object["cases"].push_back({{"matrix", c.matrix},
                                   {"machine", c.machine},
                                   {"scheduler", c.scheduler},
                                   {"tile_size", c.tile_size.empty() ? Json(nullptr) : Json(std::stol(c.tile_size))},
                                   {"seconds", c.seconds},
                                   {"ratio_to_best", ratios[k]},
                                   {"run_seconds", run ? Json(*run) : Json(nullptr)},
                                   {"runs", c.run_seconds},
                                   {"run_on_cards", run ? Json(c.run_on_cards) : Json(nullptr)},
                                   {"bounds", bounds_json_of(c)},
                                   {"flops", c.flops},
                                   {"tasks", c.tasks},
                                   {"on_device", c.in_pieces}});
    }
    return object;
}

std::string study_csv(const std::vector<StudyCase>& cases) {
    std::string text = "matrix,machine,scheduler,tile_size,seconds,flops,tasks,run_seconds,bound_seconds\n";
    for (const StudyCase& c : cases)
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", quoted(c.matrix), quoted(c.machine), c.scheduler,
                            c.tile_size, c.seconds, c.flops, c.tasks, text_or_nothing(median_run(c)),
                            text_or_nothing(c.bounds ? std::optional(c.bounds->largest()) : std::nullopt));
    return text;
}

}  // namespace frond::cli
