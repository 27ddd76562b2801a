// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/rows_by_ranks.hpp"

#include <span>
#include <utility>

#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/distributed/exchange_columns.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

std::span<const index_t> rows_of(const AssemblyTree& tree, index_t front) {
    const Front& f = tree.fronts[at(front)];
    return std::span(tree.rows).subspan(at(f.rows_begin), at(f.ncb()));
}

/// [fronts] Whether this rank has the rows.
std::vector<bool> listed_fronts(const AssemblyTree& tree, const SubtreesOfRanks& dealt, index_t rank) {
    std::vector<bool> listed(tree.fronts.size(), true);
    for (std::size_t s = 0; s < dealt.subtree.size(); ++s)
        if (dealt.rank[s] != rank)
            for_each_below_root(tree, dealt.subtree[s], [&](index_t f) { listed[at(f)] = false; });
    return listed;
}

void append_rows(AssemblyTree& tree, index_t front, const index_t*& from) {
    Front& f = tree.fronts[at(front)];
    f.rows_begin = static_cast<count_t>(tree.rows.size());
    tree.rows.insert(tree.rows.end(), from, from + f.ncb());
    from += f.ncb();
}

void finish_rows(const std::vector<bool>& listed, AssemblyTree& tree) {
    for (std::size_t f = 0; f < listed.size(); ++f)
        if (!listed[f]) tree.fronts[f].rows_begin = static_cast<count_t>(tree.rows.size());
    list_relative_rows(listed, tree);
}

}  // namespace

SubtreesOfRanks deal_subtrees(const AssemblyTree& tree, std::vector<Subtree> subtrees, index_t ranks) {
    SubtreesOfRanks dealt;
    dealt.subtree = std::move(subtrees);
    std::vector<count_t> before(1, 0);
    for (const Subtree& s : dealt.subtree) {
        count_t rows = 0;
        for (index_t f = s.first_front; f <= s.root_front; ++f) rows += tree.fronts[at(f)].nfront;
        before.push_back(before.back() + rows);
    }
    const count_t each = before.back() / ranks + 1;
    for (std::size_t s = 0; s < dealt.subtree.size(); ++s) dealt.rank.push_back(static_cast<index_t>(before[s] / each));
    return dealt;
}

void list_rows_by_ranks(Communicator& ranks, const RowCuts& cuts, const GraphPart& graph,
                        const std::vector<index_t>& position, const SubtreesOfRanks& dealt, AssemblyTree& tree) {
    const Pattern columns = exchanged_columns(ranks, cuts, graph, position, dealt, tree);
    std::vector<index_t> roots;
    collectively(ranks, [&] {
        std::vector<index_t> own;
        for (std::size_t s = 0; s < dealt.subtree.size(); ++s)
            for (index_t f = dealt.subtree[s].first_front; f <= dealt.subtree[s].root_front; ++f)
                if (dealt.rank[s] == ranks.rank()) own.push_back(f);
        list_rows_of(own, columns, tree);
        for (std::size_t s = 0; s < dealt.subtree.size(); ++s)
            if (dealt.rank[s] == ranks.rank())
                for_each_root(tree, dealt.subtree[s], [&](index_t f) {
                    const std::span<const index_t> rows = rows_of(tree, f);
                    roots.insert(roots.end(), rows.begin(), rows.end());
                });
    });
    const std::vector<index_t> all_roots = at_all_ranks(ranks, roots);  // in the order of the subtrees
    collectively(ranks, [&] {
        const index_t* next = all_roots.data();
        for (std::size_t s = 0; s < dealt.subtree.size(); ++s)
            for_each_root(tree, dealt.subtree[s], [&](index_t f) {
                if (dealt.rank[s] == ranks.rank())
                    next += tree.fronts[at(f)].ncb();
                else
                    append_rows(tree, f, next);
            });
        const std::vector<index_t> subtree_of = subtree_of_fronts(tree, dealt.subtree);
        std::vector<index_t> on_tiles;
        for (index_t f = 0; f < tree.front_count(); ++f)
            if (subtree_of[at(f)] < 0) on_tiles.push_back(f);
        list_rows_of(on_tiles, columns, tree);
        finish_rows(listed_fronts(tree, dealt, ranks.rank()), tree);
    });
}

void move_rows(Communicator& ranks, const SubtreesOfRanks& from, const SubtreesOfRanks& to, AssemblyTree& tree) {
    const index_t me = ranks.rank();
    Parcels<index_t> out;
    collectively(ranks, [&] {
        out.begin.push_back(0);
        for (index_t r = 0; r < ranks.size(); ++r) {
            for (std::size_t s = 0; s < from.subtree.size() && r != me; ++s)
                if (from.rank[s] == me && to.rank[s] == r)
                    for_each_below_root(tree, from.subtree[s], [&](index_t f) {
                        const std::span<const index_t> rows = rows_of(tree, f);
                        out.data.insert(out.data.end(), rows.begin(), rows.end());
                    });
            out.begin.push_back(static_cast<count_t>(out.data.size()));
        }
    });
    const Parcels<index_t> in = exchanged(ranks, out);
    collectively(ranks, [&] {
        const std::vector<bool> before = listed_fronts(tree, from, me), listed = listed_fronts(tree, to, me);
        AssemblyTree moved = tree;
        moved.rows.clear();
        for (index_t f = 0; f < tree.front_count(); ++f) {
            if (!before[at(f)] || !listed[at(f)]) continue;
            const index_t* rows = rows_of(tree, f).data();
            append_rows(moved, f, rows);
        }
        for (index_t r = 0; r < ranks.size(); ++r) {
            const index_t* next = in.of(r).data();
            for (std::size_t s = 0; s < to.subtree.size(); ++s)
                if (from.rank[s] == r && to.rank[s] == me && r != me)
                    for_each_below_root(tree, to.subtree[s], [&](index_t f) { append_rows(moved, f, next); });
        }
        tree = std::move(moved);
        finish_rows(listed, tree);
    });
}

}  // namespace frond::detail
