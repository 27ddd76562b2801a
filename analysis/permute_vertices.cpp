// SPDX-License-Identifier: BSD-3-Clause
#include "analyze_parts.hpp"

#include <utility>

namespace frond {

namespace {

bool is_identity(const std::vector<index_t>& map) {
    for (std::size_t k = 0; k < map.size(); ++k) {
        if (map[k] != static_cast<index_t>(k)) return false;
    }
    return true;
}

/// Columns of a in the order given.
Pattern gathered_columns(const Pattern& a, const std::vector<index_t>& columns) {
    Pattern b;
    b.rows = a.rows;
    b.cols = a.cols;
    b.begin.reserve(a.begin.size());
    b.begin.push_back(0);
    b.row.reserve(a.row.size());
    for (index_t j : columns) {
        b.row.insert(b.row.end(), a.row.begin() + a.begin[j], a.row.begin() + a.begin[j + 1]);
        b.begin.push_back(static_cast<count_t>(b.row.size()));
    }
    return b;
}

}  // namespace

Pattern graph_to_order(const Pattern& a, const MatchedMatrix& matched) {
    if (is_identity(matched.column_of_row)) return symmetrized_graph(a);
    const bool expanded = matched.full_pattern.cols > 0;
    return symmetrized_graph(gathered_columns(expanded ? matched.full_pattern : a, matched.column_of_row));
}

// Vertex r stands for row r and for the column matched to it; the user's order names columns.
CountedTree order_vertices(const Pattern& graph, const MatchedMatrix& matched, const AnalysisOptions& options,
                           Analysis& analysis) {
    const Stopwatch watch;
    AnalysisOptions of_vertices = options;
    const std::size_t n = matched.column_of_row.size();
    if (!is_identity(matched.column_of_row)) {
        std::vector<index_t> row_of_column(n);
        for (std::size_t r = 0; r < n; ++r) {
            row_of_column[matched.column_of_row[r]] = static_cast<index_t>(r);
        }
        for (index_t& v : of_vertices.user_order) {
            if (v >= 0 && v < static_cast<index_t>(n)) v = row_of_column[v];
        }
    }
    OrderingResult ordering = choose_ordering(graph, matched.partner, analysis.factorization, of_vertices);
    analysis.report.ordering = ordering.method;
    analysis.report.candidates = std::move(ordering.candidates);
    analysis.report.machine = ordering.machine;
    analysis.report.compressed_vertices = ordering.compressed_vertices;
    analysis.report.ordering_seconds = watch.seconds();
    return std::move(ordering.elimination);
}

void set_permutations(const std::vector<index_t>& order, const MatchedMatrix& matched, Analysis& analysis) {
    analysis.row_order = order;
    analysis.column_order = order;
    if (!matched.column_of_row.empty()) {
        for (index_t& c : analysis.column_order) c = matched.column_of_row[c];
    }
    if (analysis.report.pairs == 0) return;
    analysis.pair_with_next.assign(order.size(), 0);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        const bool pair = matched.partner[order[k]] == order[k + 1];
        analysis.pair_with_next[k] = pair ? 1 : 0;
    }
}

}  // namespace frond
