// SPDX-License-Identifier: BSD-3-Clause
// An Analysis by brute force, for small matrices: natural order (postordered), fronts of given
// sizes, structures as sets. Slow and plain on purpose: the oracle of the real analysis and of the
// numeric code.
#pragma once

#include "frond/analysis/analysis.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace frond::test {

using RowSets = std::vector<std::set<index_t>>;

/// Rows below the diagonal of each column of A + A^T in the order `order`.
inline RowSets lower_structure(const Pattern& a, const std::vector<index_t>& order) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        position[static_cast<std::size_t>(order[k])] = static_cast<index_t>(k);
    RowSets sets(order.size());
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[static_cast<std::size_t>(j)]; e < a.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const index_t p = position[static_cast<std::size_t>(j)];
            const index_t q = position[static_cast<std::size_t>(a.row[static_cast<std::size_t>(e)])];
            if (p != q) sets[static_cast<std::size_t>(std::min(p, q))].insert(std::max(p, q));
        }
    return sets;
}

/// Symbolic elimination: struct(parent(k)) gets struct(k) \ {parent(k)}; parent(k) = min struct(k).
inline std::vector<index_t> eliminate(RowSets& sets) {
    std::vector<index_t> parent(sets.size(), -1);
    for (std::size_t k = 0; k < sets.size(); ++k) {
        if (sets[k].empty()) continue;
        parent[k] = *sets[k].begin();
        auto& above = sets[static_cast<std::size_t>(parent[k])];
        above.insert(std::next(sets[k].begin()), sets[k].end());
    }
    return parent;
}

inline void visit_postorder(index_t k, const std::vector<std::vector<index_t>>& children, std::vector<index_t>& post) {
    for (const index_t c : children[static_cast<std::size_t>(k)]) visit_postorder(c, children, post);
    post.push_back(k);
}

/// Natural order made a postorder of its elimination tree.
inline std::vector<index_t> natural_postorder(const Pattern& a) {
    std::vector<index_t> order(static_cast<std::size_t>(a.cols));
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<index_t>(k);
    RowSets sets = lower_structure(a, order);
    const std::vector<index_t> parent = eliminate(sets);
    std::vector<std::vector<index_t>> children(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        if (parent[k] >= 0) children[static_cast<std::size_t>(parent[k])].push_back(static_cast<index_t>(k));
    std::vector<index_t> post;
    for (std::size_t k = 0; k < order.size(); ++k)
        if (parent[k] < 0) visit_postorder(static_cast<index_t>(k), children, post);
    return post;
}

/// Fronts of front_sizes[0], front_sizes[1], ... consecutive columns (repeated from the start when
/// used up).
inline void cut_fronts(const std::vector<index_t>& front_sizes, AssemblyTree& tree) {
    index_t column = 0;
    for (std::size_t s = 0; column < tree.order; ++s) {
        Front front;
        front.first_column = column;
        front.npiv = std::min(front_sizes[s % front_sizes.size()], tree.order - column);
        column += front.npiv;
        tree.fronts.push_back(front);
    }
}

inline index_t front_of_column(const AssemblyTree& tree, index_t column) {
    index_t f = 0;
    while (tree.fronts[static_cast<std::size_t>(f)].first_column + tree.fronts[static_cast<std::size_t>(f)].npiv <=
           column)
        ++f;
    return f;
}

/// Row of the front for an elimination position: own columns first, then the contribution rows.
inline index_t local_row(const AssemblyTree& tree, const Front& front, index_t position) {
    if (position < front.first_column + front.npiv) return position - front.first_column;
    const auto begin = tree.rows.begin() + front.rows_begin;
    return front.npiv + static_cast<index_t>(std::lower_bound(begin, begin + front.ncb(), position) - begin);
}

/// rows(f) = union of its columns' rows and its children's rows, beyond its own columns.
inline void find_rows(const RowSets& columns, AssemblyTree& tree) {
    std::vector<std::set<index_t>> rows(tree.fronts.size());
    for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
        Front& front = tree.fronts[f];
        const index_t end = front.first_column + front.npiv;
        for (index_t c = front.first_column; c < end; ++c)
            rows[f].insert(columns[static_cast<std::size_t>(c)].begin(), columns[static_cast<std::size_t>(c)].end());
        rows[f].erase(rows[f].begin(), rows[f].lower_bound(end));
        front.rows_begin = static_cast<count_t>(tree.rows.size());
        front.nfront = front.npiv + static_cast<index_t>(rows[f].size());
        tree.rows.insert(tree.rows.end(), rows[f].begin(), rows[f].end());
        if (rows[f].empty()) continue;
        front.parent = front_of_column(tree, *rows[f].begin());
        rows[static_cast<std::size_t>(front.parent)].insert(rows[f].begin(), rows[f].end());
    }
}

inline void link_fronts(AssemblyTree& tree) {
    std::vector<std::vector<index_t>> children(tree.fronts.size());
    for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
        const Front& front = tree.fronts[f];
        if (front.parent >= 0) children[static_cast<std::size_t>(front.parent)].push_back(static_cast<index_t>(f));
        for (count_t r = front.rows_begin; r < front.rows_begin + front.ncb(); ++r)
            tree.relative_rows.push_back(local_row(tree, tree.fronts[static_cast<std::size_t>(front.parent)],
                                                   tree.rows[static_cast<std::size_t>(r)]));
    }
    tree.child_begin.push_back(0);
    for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
        tree.first_descendant.push_back(children[f].empty()
                                            ? static_cast<index_t>(f)
                                            : tree.first_descendant[static_cast<std::size_t>(children[f][0])]);
        tree.children.insert(tree.children.end(), children[f].begin(), children[f].end());
        tree.child_begin.push_back(static_cast<count_t>(tree.children.size()));
    }
}

struct PlacedEntry {
    index_t front;
    index_t row;
    index_t column;
    count_t source;
};

/// Entries of the stored triangle(s), mirrored where the front wants the other triangle.
inline std::vector<PlacedEntry> place_entries(const Pattern& a, const Analysis& analysis) {
    std::vector<index_t> position(analysis.row_order.size());
    for (std::size_t k = 0; k < position.size(); ++k)
        position[static_cast<std::size_t>(analysis.row_order[k])] = static_cast<index_t>(k);
    const bool lower_only = analysis.factorization != Factorization::lu;
    const bool stored_lower = analysis.symmetry != Symmetry::general;
    std::vector<PlacedEntry> placed;
    const auto place = [&](index_t i, index_t j, count_t source) {
        const index_t f = front_of_column(analysis.tree, std::min(i, j));
        const Front& front = analysis.tree.fronts[static_cast<std::size_t>(f)];
        placed.push_back({f, local_row(analysis.tree, front, i), local_row(analysis.tree, front, j), source});
    };
    for (index_t c = 0; c < a.cols; ++c)
        for (count_t e = a.begin[static_cast<std::size_t>(c)]; e < a.begin[static_cast<std::size_t>(c) + 1]; ++e) {
            const index_t i = position[static_cast<std::size_t>(a.row[static_cast<std::size_t>(e)])];
            const index_t j = position[static_cast<std::size_t>(c)];
            if (!lower_only || i >= j) place(i, j, e);
            if (stored_lower && i != j && (!lower_only || i < j)) place(j, i, ~e);
        }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const PlacedEntry& x, const PlacedEntry& y) { return x.front < y.front; });
    return placed;
}

inline void fill_entry_map(const std::vector<PlacedEntry>& placed, std::size_t fronts, EntryMap& map) {
    map.front_begin.assign(fronts + 1, 0);
    for (const PlacedEntry& p : placed) {
        ++map.front_begin[static_cast<std::size_t>(p.front) + 1];
        map.source.push_back(p.source);
        map.row.push_back(p.row);
        map.column.push_back(p.column);
    }
    for (std::size_t f = 0; f < fronts; ++f) map.front_begin[f + 1] += map.front_begin[f];
}

/// Natural order, fronts of the given sizes, the whole tree as one subtree.
inline Analysis simple_analysis(const Pattern& a, Symmetry symmetry, Factorization kind,
                                const std::vector<index_t>& front_sizes = {1}) {
    Analysis analysis;
    analysis.order = a.cols;
    analysis.entries = a.entries();
    analysis.symmetry = symmetry;
    analysis.factorization = kind;
    analysis.row_order = analysis.column_order = natural_postorder(a);
    AssemblyTree& tree = analysis.tree;
    tree.order = a.cols;
    cut_fronts(front_sizes, tree);
    find_rows(lower_structure(a, analysis.row_order), tree);
    link_fronts(tree);
    fill_entry_map(place_entries(a, analysis), tree.fronts.size(), analysis.entry_map);
    analysis.mapping.subtrees.push_back({0, tree.front_count() - 1, 0, 0, 0});
    analysis.mapping.subtree_of_front.assign(tree.fronts.size(), 0);
    analysis.mapping.grid_of_front.assign(tree.fronts.size(), -1);
    return analysis;
}

/// Unscaled values of A in the order of the entry map.
template <class T>
std::vector<T> map_values(const SparseMatrix<T>& a, const EntryMap& map) {
    std::vector<T> entries;
    for (const count_t s : map.source) {
        const T v = a.value[static_cast<std::size_t>(s >= 0 ? s : ~s)];
        entries.push_back(s < 0 && a.symmetry == Symmetry::hermitian ? conjugate(v) : v);
    }
    return entries;
}

}  // namespace frond::test
