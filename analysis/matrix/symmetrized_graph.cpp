// SPDX-License-Identifier: BSD-3-Clause
// Graph of A + A^T without the diagonal. Three cases, each O(entries): a stored lower triangle,
// a symmetric pattern, anything else.
#include "frond/base/contract.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace frond {
namespace {

Pattern empty_graph(index_t order) {
    Pattern graph;
    graph.rows = graph.cols = order;
    graph.begin.assign(static_cast<std::size_t>(order) + 1, 0);
    return graph;
}

void cumulate(std::vector<count_t>& begin) { std::partial_sum(begin.begin(), begin.end(), begin.begin()); }

bool is_lower(const Pattern& a) {
    for (index_t j = 0; j < a.cols; ++j)
        if (a.begin[j] < a.begin[j + 1] && a.row[a.begin[j]] < j) return false;
    return true;
}

/// Every (i, j) has its (j, i). Columns ascend, so the rows < i of column i are met in their order:
/// one cursor a column finds each partner without a search.
bool is_symmetric(const Pattern& a) {
    std::vector<count_t> next(a.begin.begin(), a.begin.end() - 1);
    for (index_t j = 0; j < a.cols; ++j) {
        count_t e = next[j];
        const count_t end = a.begin[j + 1];
        if (e < end && a.row[e] < j) return false;  // an upper entry that no lower one asked for
        for (; e < end; ++e) {
            const index_t i = a.row[e];
            if (i == j) continue;
            if (next[i] == a.begin[i + 1] || a.row[next[i]] != j) return false;
            ++next[i];
        }
    }
    return true;
}

Pattern mirror_lower(const Pattern& a) {
    Pattern graph = empty_graph(a.cols);
    count_t* const degree = graph.begin.data() + 1;
    for (index_t j = 0; j < a.cols; ++j) {
        count_t own = 0;
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            if (a.row[e] == j) continue;
            ++own;
            ++degree[a.row[e]];
        }
        degree[j] += own;
    }
    cumulate(graph.begin);
    graph.row.resize(graph.begin.back());
    std::vector<count_t> next(graph.begin.begin(), graph.begin.end() - 1);
    // Column j has received its neighbours < j from the columns before it.
    for (index_t j = 0; j < a.cols; ++j) {
        count_t at = next[j];
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            const index_t i = a.row[e];
            if (i == j) continue;
            graph.row[at++] = i;
            graph.row[next[i]++] = j;
        }
    }
    return graph;
}

Pattern without_diagonal(const Pattern& a) {
    Pattern graph = empty_graph(a.cols);
    graph.row.resize(a.row.size());
    count_t at = 0;
    for (index_t j = 0; j < a.cols; ++j) {
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            graph.row[at] = a.row[e];
            at += a.row[e] != j;
        }
        graph.begin[j + 1] = at;
    }
    graph.row.resize(at);
    return graph;
}

/// Union of column j of A and of A^T, both ascending.
Pattern merge_with_transpose(const Pattern& a) {
    const Pattern t = transposed(a);
    Pattern graph = empty_graph(a.cols);
    graph.row.resize(2 * a.row.size());
    index_t* out = graph.row.data();
    for (index_t j = 0; j < a.cols; ++j) {
        const index_t* const first = out;
        out = std::set_union(a.row.begin() + a.begin[j], a.row.begin() + a.begin[j + 1], t.row.begin() + t.begin[j],
                             t.row.begin() + t.begin[j + 1], out);
        out = std::remove(const_cast<index_t*>(first), out, j);
        graph.begin[j + 1] = out - graph.row.data();
    }
    graph.row.resize(graph.begin.back());
    graph.row.shrink_to_fit();
    return graph;
}

}  // namespace

Pattern symmetrized_graph(const Pattern& a) {
    FROND_EXPECTS(a.rows == a.cols, "the graph of A + A^T needs a square matrix, but A is " + std::to_string(a.rows) +
                                        " x " + std::to_string(a.cols));
    if (a.entries() == 0) return empty_graph(a.cols);
    if (is_lower(a)) return mirror_lower(a);
    if (is_symmetric(a)) return without_diagonal(a);
    return merge_with_transpose(a);
}

}  // namespace frond
