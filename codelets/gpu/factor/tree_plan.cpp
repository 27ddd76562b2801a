// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_plan.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/dense/bring_pivot_rows.hpp"
#include "kernels/level_batch/gather_level.hpp"

namespace frond::gpu {
namespace {

/// Rows behind a block from which on the vendor's product is quicker than blocks of threads.
constexpr index_t least_rest_of_product = 3072;

count_t count_child_rows(const AssemblyTree& tree) {
    count_t rows = 0;
    for (const index_t f : tree.children) rows += tree.fronts[at(tree.fronts[at(f)].parent)].nfront;
    return rows;
}

count_t count_pivot_scalars(const Analysis& analysis) {
    return static_cast<count_t>(analysis.order) * (has_block_diagonal(analysis.factorization) ? 2 : 1);
}

count_t size_of_perm(const Analysis& analysis) {
    return analysis.factorization == Factorization::llt ? 0 : analysis.order;
}

}  // namespace

count_t selections_of_search(const AssemblyTree& tree, const std::vector<char>& searched) {
    count_t selections = 0;
    for (std::size_t f = 0; f < searched.size(); ++f)
        if (searched[f] != 0) selections += pivot_selections(tree.fronts[f].npiv);
    return selections;
}

/// If no cut fits, the tree stays whole, and bytes() shows that.
template <class T>
TreePlan<T>::TreePlan(const Analysis& of, const TreeShares& shares, count_t most_bytes, const CutCosts& costs,
                      const std::vector<char>& where, const ParallelFor& parallel_for)
    : TreePlan(of,
               cut_tree(of, shares,
                        std::max<count_t>(most_bytes - table_bytes(of, where), 0) / static_cast<count_t>(sizeof(T)),
                        costs, parallel_for),
               where) {}

template <class T>
TreePlan<T>::TreePlan(const Analysis& of, count_t most_bytes, const CutBefore& before, const std::vector<char>& where)
    : TreePlan(of,
               cut_as_before(of.tree, before,
                             std::max<count_t>(most_bytes - table_bytes(of, where), 0) /
                                 static_cast<count_t>(sizeof(T))),
               where) {}

template <class T>
TreePlan<T>::TreePlan(const Analysis& of, PieceCut&& cut, const std::vector<char>& where)
    : analysis(of),
      tree(std::move(cut.plan)),
      saved(std::move(cut.saved)),
      cut_for_memory(cut.for_memory),
      searched(where),
      steps(least_rest_of_product),
      table_bytes_(table_bytes(of, where)) {
    add_squares();
    tree.add_steps(of, squares, searched, steps);
}

template <class T>
void TreePlan<T>::add_squares() {
    for (const index_t f : tree.fronts()) {
        const Front& front = analysis.tree.fronts[at(f)];
        squares.push_back({nullptr, square_ld(front.nfront), front.nfront, front.npiv});
    }
    for (const SubtreePlan::Strip& strip : tree.strips()) {
        DenseFront<T>& panel = squares[at(strip.front)];
        panel.missing = panel.order - panel.npiv;
        strips.push_back(panel);
        strips.back().first = strip.first;
        strips.back().missing = panel.order - strip.last;
    }
    for (const SubtreePlan::SharedFront& shared : tree.shared())
        for (index_t b = 0; b < shared.tail + (shared.has_tail() ? 1 : 0); ++b) {
            DenseFront<T>& block = squares[at(shared.first_square + b)];
            block.first = shared.cut[at(b)];
            block.npiv = shared.cut[at(b == shared.tail ? shared.own_blocks : b + 1)];
            if (analysis.factorization == Factorization::llt) block.order = block.npiv;
            block.missing = block.order - block.npiv;
        }
}

template <class T>
index_t TreePlan<T>::room_of_block(index_t shared, index_t block) const {
    auto room = static_cast<index_t>(saved.rooms().size());
    for (index_t s = 0; s < shared; ++s)
        room += tree.shared()[at(s)].blocks() + (tree.shared()[at(s)].has_tail() ? 1 : 0);
    return room + block;
}

template <class T>
count_t TreePlan<T>::block_bytes(const SubtreePlan::SharedFront& shared, index_t block) const {
    const count_t columns = shared.columns(block), ld = square_ld(analysis.tree.fronts[at(shared.front)].nfront);
    return (round_up_8(ld * columns) + 2 * columns) * static_cast<count_t>(sizeof(T)) +
           columns * static_cast<count_t>(sizeof(index_t));
}

template <class T>
count_t TreePlan<T>::bytes(index_t device) const {
    const count_t scalars = tree.square_scalars(device) + saved.device_scalars(device);
    count_t bytes = table_bytes_ + scalars * static_cast<count_t>(sizeof(T));
    for (const SubtreePlan::SharedFront& shared : tree.shared())
        for (index_t b = 0; b < shared.blocks() + (shared.has_tail() && device == 0 ? 1 : 0); ++b)
            bytes += block_bytes(shared, b);
    return bytes;
}

template <class T>
count_t TreePlan<T>::pivot_scalars() const {
    return count_pivot_scalars(analysis);
}

template <class T>
count_t TreePlan<T>::perm_size() const {
    return size_of_perm(analysis);
}

/// The bytes of the tables before steps are planned: there is at most one step for 16 columns and one a front.
template <class T>
count_t TreePlan<T>::table_bytes(const Analysis& analysis, const std::vector<char>& searched) {
    const auto bytes = [](const auto& array) { return static_cast<count_t>(array.size() * sizeof(array.front())); };
    const AssemblyTree& tree = analysis.tree;
    const auto fronts = static_cast<count_t>(tree.fronts.size());
    const count_t scalars = count_pivot_scalars(analysis) + static_cast<count_t>(analysis.entry_map.row.size());
    const bool searches = !searched.empty();
    const count_t indices = (searches ? 2 : 1) * size_of_perm(analysis) + count_child_rows(tree);
    const std::size_t of_front = sizeof(DenseFront<T>) + sizeof(FrontSources) + (searches ? sizeof(RowSwaps) : 0);
    return fronts * static_cast<count_t>(of_front) +
           selections_of_search(tree, searched) * static_cast<count_t>(sizeof(PivotSelection)) +
           bytes(analysis.entry_map.row) + bytes(analysis.entry_map.column) +
           static_cast<count_t>(tree.children.size() * sizeof(ChildBlock<T>)) +
           indices * static_cast<count_t>(sizeof(index_t)) +
           size_of_perm(analysis) * static_cast<count_t>(sizeof(PivotMark)) +
           scalars * static_cast<count_t>(sizeof(T)) +
           (analysis.order / 16 + fronts) * static_cast<count_t>(sizeof(FrontStep));
}

#define FROND_INSTANTIATE(T) template struct TreePlan<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
