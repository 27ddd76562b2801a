// SPDX-License-Identifier: BSD-3-Clause
// What must hold of every assembly tree and mapping; each check names what is wrong, or returns "".
#pragma once

#include "brute_force_symbolic.hpp"
#include "frond/analysis/assembly_tree.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace frond::test {

inline std::string at(const char* what, count_t f) { return what + (" at " + std::to_string(f)); }

/// Columns cover 0 .. n-1 in order; parents, children and first descendants tell the same tree.
inline std::string wrong_shape(const AssemblyTree& tree) {
    index_t column = 0;
    const index_t fronts = tree.front_count();
    if (static_cast<index_t>(tree.child_begin.size()) != fronts + 1) return "child_begin";
    if (static_cast<index_t>(tree.first_descendant.size()) != fronts) return "first_descendant";
    for (index_t f = 0; f < fronts; ++f) {
        const Front& front = tree.fronts[f];
        if (front.first_column != column || front.npiv < 1) return at("columns", f);
        if (front.nfront < front.npiv) return at("nfront", f);
        column += front.npiv;
        if (front.parent >= 0 ? front.parent <= f : front.ncb() != 0) return at("parent", f);
        index_t expected_end = f;  // children, read backwards, fill first_descendant .. f - 1
        for (count_t c = tree.child_begin[f + 1]; c-- > tree.child_begin[f];) {
            const index_t child = tree.children[c];
            if (child != expected_end - 1 || tree.fronts[child].parent != f) return at("child", f);
            expected_end = tree.first_descendant[child];
        }
        if (tree.first_descendant[f] != expected_end) return at("first descendant", f);
    }
    return column == tree.order ? "" : "columns missing";
}

/// Elimination position of a local row of front f.
inline index_t position_of(const AssemblyTree& tree, index_t f, index_t local) {
    const Front& front = tree.fronts[f];
    return local < front.npiv ? front.first_column + local : tree.rows[front.rows_begin + local - front.npiv];
}

/// rows of each front = structures of its columns below them, together; each of these structures
/// lies in what the front has (exactly: is all of it).
inline std::string wrong_rows(const AssemblyTree& tree, const BruteForceFill& fill, bool exactly) {
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        const std::vector<index_t> rows(tree.rows.begin() + front.rows_begin,
                                        tree.rows.begin() + front.rows_begin + front.ncb());
        const index_t last = front.first_column + front.npiv - 1;
        std::set<index_t> needed;
        for (index_t k = front.first_column; k <= last; ++k) {
            needed.insert(fill.rows[k].upper_bound(last), fill.rows[k].end());
            std::set<index_t> have(rows.begin(), rows.end());
            for (index_t i = k + 1; i <= last; ++i) have.insert(i);
            if (!std::includes(have.begin(), have.end(), fill.rows[k].begin(), fill.rows[k].end()))
                return at("column structure", k);
            if (exactly && have != fill.rows[k]) return at("extra zeros", k);
        }
        if (!std::equal(rows.begin(), rows.end(), needed.begin(), needed.end())) return at("rows", f);
    }
    return "";
}

inline std::string wrong_relative_rows(const AssemblyTree& tree) {
    if (tree.relative_rows.size() != tree.rows.size()) return "size";
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        for (index_t i = 0; i < front.ncb(); ++i) {
            const index_t local = tree.relative_rows[front.rows_begin + i];
            if (local < 0 || local >= tree.fronts[front.parent].nfront) return at("range", f);
            if (position_of(tree, front.parent, local) != tree.rows[front.rows_begin + i]) return at("relative row", f);
        }
    }
    return "";
}

/// Every front in exactly one subtree or one grid; subtrees whole; cuts cover and split no pair.
inline std::string wrong_mapping(const AssemblyTree& tree, const Mapping& mapping,
                                 const std::vector<std::uint8_t>& pair_with_next) {
    std::vector<int> times(tree.fronts.size(), 0);
    index_t previous_root = -1;
    for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) {
        const Subtree& subtree = mapping.subtrees[s];
        if (subtree.first_front <= previous_root) return at("subtrees overlap", s);
        previous_root = subtree.root_front;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
            ++times[f];
            if (mapping.subtree_of_front[f] != static_cast<index_t>(s)) return at("subtree", f);
            const index_t parent = tree.fronts[f].parent;
            const bool inside = parent >= 0 && parent <= subtree.root_front;
            const bool top = f == subtree.root_front || parent < 0;
            if (!inside && !top) return at("subtree left by a front", f);
            if (tree.first_descendant[f] < subtree.first_front) return at("subtree cut", f);
        }
    }
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t g = mapping.grid_of_front[f];
        if ((mapping.subtree_of_front[f] < 0) != (g >= 0)) return at("both or neither", f);
        if (g < 0) continue;
        ++times[f];
        const Front& front = tree.fronts[f];
        const TileGrid& grid = mapping.grids[g];
        if (grid.cut.front() != 0 || grid.cut.back() != front.nfront) return at("cuts' ends", f);
        if (grid.cut[grid.own_tiles] != front.npiv) return at("own tiles", f);
        for (index_t t = 0; t < grid.tiles(); ++t) {
            if (grid.size(t) < 1) return at("empty tile", f);
            if (t == 0 || pair_with_next.empty()) continue;
            const index_t before = position_of(tree, f, grid.cut[t] - 1);
            if (pair_with_next[before] && position_of(tree, f, grid.cut[t]) == before + 1)
                return at("cut through a pair", f);
        }
        if (front.parent >= 0 && mapping.subtree_of_front[front.parent] >= 0)
            return at("front on tiles below a subtree", f);
    }
    for (std::size_t f = 0; f < times.size(); ++f)
        if (times[f] != 1) return at("mapped several times", f);
    return "";
}

}  // namespace frond::test
