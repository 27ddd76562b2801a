// SPDX-License-Identifier: BSD-3-Clause
#include "../placement/mapping_parts.hpp"
#include "analysis_reader.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"

#include <algorithm>
#include <cmath>

namespace frond::detail {
namespace {

/// Columns cover 0 .. n-1 in the order of the fronts, and the rows of the fronts follow each other.
bool covers_columns(const AssemblyTree& tree) {
    index_t column = 0;
    count_t rows = 0;
    for (const Front& front : tree.fronts) {
        if (front.first_column != column || front.npiv < 1 || front.npiv > tree.order - column ||
            front.nfront < front.npiv || front.nfront > tree.order || front.rows_begin != rows)
            return false;
        column += front.npiv;
        rows += front.ncb();
    }
    return column == tree.order && rows == static_cast<count_t>(tree.rows.size()) &&
           tree.relative_rows.size() == tree.rows.size();
}

/// Children, read backwards, fill first_descendant .. f - 1; a root has no contribution rows.
bool is_postorder(const AssemblyTree& tree, index_t f) {
    const Front& front = tree.fronts[f];
    if (front.parent < 0 ? front.parent != -1 || front.ncb() != 0
                         : front.parent <= f || front.parent >= tree.front_count())
        return false;
    index_t end = f;
    for (count_t c = tree.child_begin[f + 1]; c-- > tree.child_begin[f];) {
        const index_t child = tree.children[c];
        if (child < 0 || child != end - 1 || tree.fronts[child].parent != f) return false;
        end = tree.first_descendant[child];
    }
    return tree.first_descendant[f] == end;
}

bool is_tree(const AssemblyTree& tree) {
    const std::size_t fronts = tree.fronts.size();
    if (tree.first_descendant.size() != fronts || tree.child_begin.size() != fronts + 1 ||
        tree.child_begin.front() != 0 || tree.child_begin.back() != static_cast<count_t>(tree.children.size()) ||
        !std::is_sorted(tree.child_begin.begin(), tree.child_begin.end()))
        return false;
    count_t children = 0;  // by their own account
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (!is_postorder(tree, f)) return false;
        children += tree.fronts[f].parent >= 0;
    }
    return children == static_cast<count_t>(tree.children.size());
}

/// Rows ascend, lie past the front's own columns, and are rows of the parent where relative_rows says.
bool are_rows_of_parent(const AssemblyTree& tree, const Front& front) {
    index_t previous = front.first_column + front.npiv - 1;
    for (count_t e = front.rows_begin; e < front.rows_begin + front.ncb(); ++e) {
        const index_t row = tree.rows[e], local = tree.relative_rows[e];
        if (row <= previous || row >= tree.order) return false;
        previous = row;
        const Front& parent = tree.fronts[front.parent];
        if (local < 0 || local >= parent.nfront) return false;
        const index_t there =
            local < parent.npiv ? parent.first_column + local : tree.rows[parent.rows_begin + local - parent.npiv];
        if (there != row) return false;
    }
    return true;
}

}  // namespace

std::string defect_of_tree(const AssemblyTree& tree) {
    if (!covers_columns(tree)) return "fronts that do not cover the columns";
    if (!is_tree(tree)) return "fronts that are no tree in postorder";
    for (const Front& front : tree.fronts)
        if (!are_rows_of_parent(tree, front)) return "rows of a front that its parent does not have";
    return "";
}

namespace {

/// A whole subtree, or whole trees that follow each other; numbered in its fronts.
bool is_subtree(const Analysis& analysis, index_t number) {
    const AssemblyTree& tree = analysis.tree;
    const Subtree& subtree = analysis.mapping.subtrees[number];
    const index_t first = subtree.first_front, root = subtree.root_front;
    if (first < 0 || root < first || root >= tree.front_count()) return false;
    const bool bundle = tree.fronts[root].parent < 0;
    if (!bundle && tree.first_descendant[root] != first) return false;
    for (index_t f = first; f <= root; ++f) {
        const index_t parent = tree.fronts[f].parent;
        const bool inside = parent >= 0 && parent <= root;
        if (analysis.mapping.subtree_of_front[f] != number || tree.first_descendant[f] < first ||
            (f < root && !inside && !(bundle && parent < 0)))
            return false;
    }
    return true;
}

/// Cuts ascend from 0 over npiv to nfront.
bool is_grid_of(const TileGrid& grid, const Front& front) {
    const auto& cut = grid.cut;
    if (cut.size() < 2 || cut.front() != 0 || cut.back() != front.nfront || grid.own_tiles < 0 ||
        grid.own_tiles > grid.tiles() || cut[grid.own_tiles] != front.npiv)
        return false;
    for (index_t t = 0; t < grid.tiles(); ++t)
        if (cut[t] >= cut[t + 1]) return false;
    return true;
}

}  // namespace

std::string defect_of_mapping(const Analysis& analysis) {
    const Mapping& mapping = analysis.mapping;
    const AssemblyTree& tree = analysis.tree;
    if (mapping.workers < 1) return "a mapping for no workers";
    if (mapping.subtree_of_front.size() != tree.fronts.size() || mapping.grid_of_front.size() != tree.fronts.size())
        return "a mapping of other fronts";
    index_t covered = 0, grids = 0;
    for (std::size_t s = 0; s < mapping.subtrees.size(); ++s) {
        const Subtree& subtree = mapping.subtrees[s];
        if (!is_subtree(analysis, static_cast<index_t>(s)) || subtree.first_front < covered)
            return "a subtree that is none";
        covered = subtree.root_front + 1;
    }
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t s = mapping.subtree_of_front[f], g = mapping.grid_of_front[f];
        const index_t parent = tree.fronts[f].parent;
        if (s >= 0) {  // each subtree has numbered its own fronts: no other may bear its number
            if (g != -1 || s >= static_cast<index_t>(mapping.subtrees.size()) || f < mapping.subtrees[s].first_front ||
                f > mapping.subtrees[s].root_front)
                return "a front in a subtree and on tiles, or in two subtrees";
            continue;
        }
        if (s != -1 || g != grids || g >= static_cast<index_t>(mapping.grids.size()) ||
            !is_grid_of(mapping.grids[g], tree.fronts[f]))
            return "cuts into tiles that do not fit their front";
        if (parent >= 0 && mapping.subtree_of_front[parent] >= 0) return "a front on tiles below a subtree";
        ++grids;
    }
    return grids == static_cast<index_t>(mapping.grids.size()) ? "" : "cuts of no front";
}

namespace {

bool is_permutation(const std::vector<index_t>& list, index_t n) {
    if (list.size() != static_cast<std::size_t>(n)) return false;
    std::vector<std::uint8_t> met(list.size(), 0);
    for (const index_t i : list) {
        if (i < 0 || i >= n || met[static_cast<std::size_t>(i)] != 0) return false;
        met[static_cast<std::size_t>(i)] = 1;
    }
    return true;
}

/// Finite, not negative, and as many as there are fronts.
bool are_flops(const std::vector<double>& list, std::size_t fronts) {
    return list.size() == fronts &&
           std::all_of(list.begin(), list.end(), [](double x) { return x >= 0 && std::isfinite(x); });
}

/// Local numbers of the entries of one front: each where the kind reads it, by column, then row.
bool fits_front(const EntryMap& map, count_t e, bool first, const Front& front, bool symmetric) {
    const index_t i = map.row[e], j = map.column[e];
    if (std::min(i, j) < 0 || std::max(i, j) >= front.nfront || std::min(i, j) >= front.npiv) return false;
    if (symmetric && i < j) return false;
    return first || map.column[e - 1] < j || (map.column[e - 1] == j && map.row[e - 1] < i);
}

}  // namespace

std::string defect_of_order(const Analysis& analysis) {
    const index_t n = analysis.order;
    if (n < 0 || analysis.entries < 0) return "a negative order or number of entries";
    const bool symmetric = analysis.factorization != Factorization::lu;
    const bool triangle = analysis.symmetry == Symmetry::symmetric || analysis.symmetry == Symmetry::hermitian;
    if (analysis.factorization == Factorization::automatic || (symmetric && !triangle))
        return "a factorization that does not suit the symmetry";
    if (!is_permutation(analysis.row_order, n) || !is_permutation(analysis.column_order, n))
        return "an elimination order that is no permutation";
    if (symmetric && analysis.row_order != analysis.column_order)
        return "a symmetric factorization with different orders of rows and columns";
    const auto empty_or_n = [n](const auto& list) {
        return list.empty() || list.size() == static_cast<std::size_t>(n);
    };
    if (!empty_or_n(analysis.pair_with_next)) return "pairs of another order";
    const auto& matching = analysis.matching_row_of_column;
    if (!empty_or_n(matching) ||
        std::any_of(matching.begin(), matching.end(), [n](index_t i) { return i < -1 || i >= n; }))
        return "a matching with rows that are not there";
    return "";
}

std::string defect_of_entry_map(const Analysis& analysis) {
    const EntryMap& map = analysis.entry_map;
    const AssemblyTree& tree = analysis.tree;
    const std::size_t count = map.source.size();
    if (map.row.size() != count || map.column.size() != count || map.front_begin.size() != tree.fronts.size() + 1 ||
        map.front_begin.front() != 0 || map.front_begin.back() != static_cast<count_t>(count) ||
        !std::is_sorted(map.front_begin.begin(), map.front_begin.end()))
        return "an entry map whose lists differ in length";
    const bool symmetric = analysis.factorization != Factorization::lu;
    for (index_t f = 0; f < tree.front_count(); ++f)
        for (count_t e = map.front_begin[f]; e < map.front_begin[f + 1]; ++e)
            if (!fits_front(map, e, e == map.front_begin[f], tree.fronts[f], symmetric))
                return "an entry of the matrix outside its front";
    for (const count_t source : map.source)
        if ((source < 0 ? ~source : source) >= analysis.entries) return "an entry that the matrix does not have";
    return "";
}

std::string defect_of_costs(const Analysis& analysis) {
    const CostModel& cost = analysis.cost;
    const Mapping& mapping = analysis.mapping;
    const std::size_t fronts = analysis.tree.fronts.size();
    CostModel known = predict_costs(analysis.tree, analysis.factorization);
    if (!are_flops(cost.front_flops, fronts) || !are_flops(mapping.bottom_level_flops, fronts) ||
        !are_flops({cost.flops, cost.critical_path_flops}, 2))
        return "flops that are missing, negative or not finite";
    for (const Subtree& subtree : mapping.subtrees) {
        count_t scalars = 0;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f)
            scalars += front_panels(analysis.tree.fronts[f], analysis.factorization).size;
        if (!are_flops({subtree.flops}, 1) || subtree.factor_scalars != scalars ||
            subtree.stack_scalars != stack_peak(analysis.tree, subtree.first_front, subtree.root_front))
            return "sizes of a subtree that are not those of its fronts";
    }
    known.peak_scalars_parallel = parallel_peak(analysis.tree, mapping, analysis.factorization);
    if (cost.factor_entries != known.factor_entries || cost.largest_front != known.largest_front ||
        cost.peak_scalars_sequential != known.peak_scalars_sequential ||
        cost.peak_scalars_parallel != known.peak_scalars_parallel)
        return "sizes that are not those of its fronts";
    return "";
}

std::string defect_of(const Analysis& analysis) {
    if (analysis.tree.order != analysis.order) return "a tree of another order";
    std::string defect = defect_of_order(analysis);
    if (defect.empty()) defect = defect_of_tree(analysis.tree);
    if (defect.empty()) defect = defect_of_entry_map(analysis);
    if (defect.empty()) defect = defect_of_mapping(analysis);
    if (defect.empty()) defect = defect_of_costs(analysis);
    return defect;
}

}  // namespace frond::detail
