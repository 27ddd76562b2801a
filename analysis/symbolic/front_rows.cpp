// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "frond/base/large_vector.hpp"
#include "forest.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "tree_parts.hpp"

#include <algorithm>

namespace frond {

namespace {

/// Neighbours of the vertex at a position.
class NeighboursInGraph {
public:
    NeighboursInGraph(const Pattern& graph, const PostorderedTree& elimination)
        : graph_(graph), elimination_(elimination) {}

    template <class Visit>
    void visit(index_t k, const Visit& visit) const {
        const index_t v = elimination_.order[k];
        for (count_t e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e) visit(elimination_.position[graph_.row[e]]);
    }

private:
    const Pattern& graph_;
    const PostorderedTree& elimination_;
};

class NeighboursByPosition {
public:
    explicit NeighboursByPosition(const Pattern& columns) : columns_(columns) {}

    template <class Visit>
    void visit(index_t k, const Visit& visit) const {
        for (count_t e = columns_.begin[k]; e < columns_.begin[k + 1]; ++e) visit(columns_.row[e]);
    }

private:
    const Pattern& columns_;
};

/// Lists rows of fronts whose children's are listed; scratch of one thread.
template <class Neighbours>
class RowLister {
public:
    RowLister(const Neighbours& neighbours, AssemblyTree& tree)
        : neighbours_(neighbours), tree_(tree), mark_(static_cast<std::size_t>(tree.order)) {}

    void list(index_t f);

private:
    Neighbours neighbours_;
    AssemblyTree& tree_;
    ZeroedArray mark_;  // f + 1 once a row has been listed for front f
};

// Rows of a front = neighbours of its columns and rows of its children, those past its last column.
template <class Neighbours>
void RowLister<Neighbours>::list(index_t f) {
    const Front& front = tree_.fronts[f];
    const index_t columns_end = front.first_column + front.npiv;
    index_t* const first = tree_.rows.data() + front.rows_begin;
    index_t* last = first;
    const auto add = [&](index_t r) {
        if (r < columns_end || mark_[r] == f + 1) return;
        mark_[r] = f + 1;
        *last++ = r;
    };
    for (count_t c = tree_.child_begin[f]; c < tree_.child_begin[f + 1]; ++c) {
        const Front& child = tree_.fronts[tree_.children[c]];
        const index_t* rows = tree_.rows.data() + child.rows_begin;
        for (index_t i = 0; i < child.ncb(); ++i) add(rows[i]);
    }
    for (index_t k = front.first_column; k < columns_end; ++k) neighbours_.visit(k, add);
    std::sort(first, last);
}

}  // namespace

// Bottom up; subtrees side by side, then the fronts above them.
void find_front_rows(const Pattern& graph, const PostorderedTree& elimination, AssemblyTree& tree, index_t threads) {
    std::vector<count_t> before(tree.fronts.size() + 1, 0);  // rows and columns
    count_t total = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        Front& front = tree.fronts[f];
        front.rows_begin = total;
        total += front.ncb();
        before[f + 1] = before[f] + front.nfront;
    }
    tree.rows.resize(static_cast<std::size_t>(total));
    const NeighboursInGraph neighbours(graph, elimination);
    RowLister above(neighbours, tree);
    const count_t most_work = threads > 1 ? before.back() / (8 * threads) : 0;
    const std::vector<SubtreeRange> ranges = disjoint_subtrees(tree.first_descendant, before, most_work);
    const std::vector<index_t> chunk = chunks_of_subtrees(ranges, before, most_work / 2);
    on_threads(threads, static_cast<count_t>(chunk.size()) - 1, [&](Chunks& chunks) {
        RowLister lister(neighbours, tree);
        for (count_t c = 0; chunks.take(c);)
            for (index_t r = chunk[c]; r < chunk[c + 1]; ++r)
                for (index_t f = ranges[r].first; f <= ranges[r].root; ++f) lister.list(f);
    });
    index_t f = 0;
    for (const SubtreeRange& range : ranges) {
        for (; f < range.first; ++f) above.list(f);
        f = range.root + 1;
    }
    for (; f < tree.front_count(); ++f) above.list(f);
}

void list_rows_of(std::span<const index_t> fronts, const Pattern& columns, AssemblyTree& tree) {
    RowLister lister(NeighboursByPosition(columns), tree);
    for (const index_t f : fronts) {
        Front& front = tree.fronts[f];
        front.rows_begin = static_cast<count_t>(tree.rows.size());
        tree.rows.resize(tree.rows.size() + static_cast<std::size_t>(front.ncb()));
        lister.list(f);
    }
}

namespace {

// Row r of a child is column r - first_column of the parent, or one of its rows: local[] holds
// their numbers while the parent's children are visited.
template <class IsListed>
void find_relative_rows_of(AssemblyTree& tree, const IsListed& is_listed) {
    tree.relative_rows.resize(tree.rows.size());
    std::vector<index_t> local(static_cast<std::size_t>(tree.order));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        if (tree.child_begin[f] == tree.child_begin[f + 1] || !is_listed(f)) continue;
        const Front& front = tree.fronts[f];
        for (index_t i = 0; i < front.npiv; ++i) local[front.first_column + i] = i;
        for (index_t i = 0; i < front.ncb(); ++i) {
            local[tree.rows[front.rows_begin + i]] = front.npiv + i;
        }
        for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) {
            if (!is_listed(tree.children[c])) continue;
            const Front& child = tree.fronts[tree.children[c]];
            for (index_t i = 0; i < child.ncb(); ++i) {
                const count_t e = child.rows_begin + i;
                tree.relative_rows[e] = local[tree.rows[e]];
            }
        }
    }
}

}  // namespace

void find_relative_rows(AssemblyTree& tree) {
    find_relative_rows_of(tree, [](index_t) { return true; });
}

void list_relative_rows(const std::vector<bool>& listed, AssemblyTree& tree) {
    find_relative_rows_of(tree, [&listed](index_t f) { return listed[static_cast<std::size_t>(f)]; });
}

}  // namespace frond
