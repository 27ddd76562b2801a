// SPDX-License-Identifier: BSD-3-Clause
#include "check_analysis.hpp"

#include <algorithm>

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

}  // namespace frond::detail
