// SPDX-License-Identifier: BSD-3-Clause
#include "study_report.hpp"

#include "plot/svg.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <fmt/format.h>

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

namespace {

/// The measures of the drawing.
struct StudyFrame {
    double left = 24, top = 78, label_width = 190, bar_width = 520, right = 190, row_height = 22, head_height = 34;

    double width() const { return 2 * left + label_width + bar_width + right; }
};
constexpr StudyFrame frame;

/// Cases of one matrix on one machine, which share a scale.
struct Group {
    std::size_t first = 0, last = 0;
    double longest = 1e-12;
};

std::vector<Group> groups_of(const std::vector<StudyCase>& cases) {
    std::vector<Group> groups;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const StudyCase& c = cases[k];
        if (k == 0 || c.matrix != cases[k - 1].matrix || c.machine != cases[k - 1].machine) groups.push_back({k, k});
        Group& group = groups.back();
        group.last = k + 1;
        group.longest = std::max({group.longest, c.seconds, median_run(c).value_or(0)});
    }
    return groups;
}

std::string bound_text(const TimeBounds& bounds) {
    return fmt::format("bounds: work {}, longest path {}, submission {}", text_of_seconds(bounds.work),
                       text_of_seconds(bounds.path), text_of_seconds(bounds.submission));
}

void mark_bound(Svg& svg, double x, double y, const TimeBounds& bounds, double scale) {
    const double at = x + bounds.largest() * scale;
    svg.rectangle(at - 1.5, y, 3, frame.row_height, "ink", 1, bound_text(bounds));
}

void draw_row(Svg& svg, double y, const StudyCase& c, double scale) {
    const double x = frame.left + frame.label_width;
    svg.text(x - 10, y + 15, choice_text(c), "ink small", Svg::Anchor::end);
    const auto run = median_run(c);
    svg.rectangle(x, y + 3, c.seconds * scale, run ? frame.row_height / 2 - 3 : frame.row_height - 6, "accent", 1,
                  "simulated " + text_of_seconds(c.seconds));
    if (run)
        svg.rectangle(x, y + frame.row_height / 2, *run * scale, frame.row_height / 2 - 3, "second", 1,
                      fmt::format("median of {}: {}", counted(std::ssize(c.run_seconds), "run"),
                                  text_of_seconds(*run)));
    if (c.bounds) mark_bound(svg, x, y, *c.bounds, scale);
    const double end = x + std::max(c.seconds, run.value_or(0)) * scale;
    svg.text(end + 8, y + 15, text_of_seconds(c.seconds) + (run ? ", really " + text_of_seconds(*run) : ""),
             "quiet small");
}

void draw_legend(Svg& svg, bool with_runs, bool with_bounds) {
    double x = frame.left;
    const auto entry = [&](const char* classes, double width, const char* text) {
        svg.rectangle(x, 46, width, 12, classes);
        svg.text(x + width + 6, 56, text, "quiet small");
        x += width + 130;
    };
    entry("accent", 12, "simulated");
    if (with_runs) entry("second", 12, "real, median");
    if (with_bounds) entry("ink", 3, "no scheduler can be quicker");
}

}  // namespace

std::string study_picture(const std::vector<StudyCase>& cases, const std::string& file) {
    const std::vector<Group> groups = groups_of(cases);
    const double height = frame.top + frame.row_height * static_cast<double>(cases.size()) +
                          frame.head_height * static_cast<double>(groups.size()) + 16;
    const std::string title = "Times of factorizations: a study";
    Svg svg(frame.width(), height, title);
    const auto has = [&cases](auto property) { return std::any_of(cases.begin(), cases.end(), property); };
    draw_legend(svg, has([](const StudyCase& c) { return !c.run_seconds.empty(); }),
                has([](const StudyCase& c) { return c.bounds.has_value(); }));
    double y = frame.top;
    for (const Group& group : groups) {
        svg.text(frame.left, y + 22, cases[group.first].matrix + " on " + cases[group.first].machine, "ink");
        y += frame.head_height;
        svg.line(frame.left + frame.label_width, y, frame.left + frame.label_width,
                 y + frame.row_height * static_cast<double>(group.last - group.first), "line");
        for (std::size_t k = group.first; k < group.last; ++k, y += frame.row_height)
            draw_row(svg, y, cases[k], frame.bar_width / group.longest);
    }
    if (!file.ends_with(".html")) return svg.text();
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head>\n"
        "<body>\n{}</body></html>\n",
        xml_escaped(title), svg.text());
}

}  // namespace frond::cli
