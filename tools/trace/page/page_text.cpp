// SPDX-License-Identifier: BSD-3-Clause
#include "trace/page/page_text.hpp"

namespace frond::cli {
namespace {

/// Puts `text` in the place of the only `mark`.
void fill(std::string& page, std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
}

/// The text of an element `script`, in which nothing else can end it.
std::string in_script(const nlohmann::json& json) {
    std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
    return text;
}

std::string in_text(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return safe;
}

std::string page_with(const PageData& data, const std::string& title) {
    std::string page(page_template());
    fill(page, "/*STYLE*/", page_style());
    fill(page, "/*SCRIPT*/", page_script());
    fill(page, "@COLUMNS@", data.columns);
    // What follows may hold a mark, too, but behind the one that is meant.
    fill(page, "@FACTS@", in_script(data.facts));
    fill(page, "@TITLE@", in_text(title));
    return page;
}

}  // namespace

std::string page_text(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                      std::size_t most_bytes) {
    std::size_t tasks = trace.tasks.size();
    for (;;) {
        std::string page = page_with(page_data(title, trace, facts, analysis, tasks), title.matrix);
        if (page.size() <= most_bytes || tasks == 0) return page;
        const double share = static_cast<double>(most_bytes) / static_cast<double>(page.size());
        tasks = static_cast<std::size_t>(0.9 * share * static_cast<double>(tasks));
    }
}

}  // namespace frond::cli
