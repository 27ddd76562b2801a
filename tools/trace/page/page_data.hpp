// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "trace/analyze/trace_facts.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace frond::cli {

/// What a page shows in addition to the trace.
struct PageTitle {
    std::string matrix;
    bool simulated = false;
    std::vector<std::pair<std::string, std::string>> facts;  // name and text, such as "workers": "2 CPU"
};

/// What the page's scripts read: a small object, and the arrays as PackedColumns::text().
struct PageData {
    nlohmann::json facts;
    std::string columns;
};

/// So much a page has at most: of each kind of span (states of workers, copies, states of memory nodes) the longest, and
/// the first notes.
inline constexpr std::size_t most_page_spans = 200'000, most_page_notes = 2000;

/// At most `most_tasks` tasks, the longest; the others are in the levels of detail and in the curves alone. The page
/// says how many tasks, spans and notes it does not have. analysis: of whose tree the page has a picture; null: none.
PageData page_data(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                   std::size_t most_tasks);

}  // namespace frond::cli
