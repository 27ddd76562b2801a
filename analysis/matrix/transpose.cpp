// SPDX-License-Identifier: BSD-3-Clause
// A^T by one bucket sort (Gustavson 1978): O(entries + rows + cols), rows of A^T ascending,
// equal ones in their old order.
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace frond {
namespace {

/// t.begin and t.row of A^T; place(e, at): entry e of A is entry `at` of A^T.
template <class Place>
Pattern transpose(const Pattern& a, Place&& place) {
    Pattern t;
    t.rows = a.cols;
    t.cols = a.rows;
    t.begin.assign(static_cast<std::size_t>(a.rows) + 1, 0);
    t.row.resize(a.row.size());
    count_t* const next = t.begin.data();
    for (const index_t i : a.row) ++next[i];
    std::exclusive_scan(next, next + a.rows, next, count_t{0});
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            const count_t at = next[a.row[e]]++;
            t.row[at] = j;
            place(e, at);
        }
    // next[i] is now the begin of row i + 1.
    for (index_t i = a.rows; i > 0; --i) next[i] = next[i - 1];
    next[0] = 0;
    return t;
}

}  // namespace

Pattern transposed(const Pattern& a) {
    return transpose(a, [](count_t, count_t) {});
}

template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& a) {
    SparseMatrix<T> t;
    t.symmetry = a.symmetry;
    t.value.resize(a.value.size());
    t.pattern = transpose(a.pattern, [&](count_t e, count_t at) { t.value[at] = a.value[e]; });
    return t;
}

#define FROND_INSTANTIATE(T) template SparseMatrix<T> transposed<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

// Graph of A + A^T without the diagonal. Three cases, each O(entries): a stored lower triangle,
// a symmetric pattern, anything else.

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
