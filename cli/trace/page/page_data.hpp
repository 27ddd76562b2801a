// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "trace/analyze/trace_facts.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace frond::cli {

/// What a page shows beside the trace.
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

/// At most `most_tasks` tasks, the longest; the others are in the levels of detail and in the curves alone, and the
/// page says so. analysis: of whose tree the page has a picture; null: none.
PageData page_data(const PageTitle& title, const Trace& trace, const TraceFacts& facts, const Analysis* analysis,
                   std::size_t most_tasks);

}  // namespace frond::cli
