// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_tables.hpp"

#include <algorithm>

#include "factor/cut_tree.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Rows behind a block from which on the vendor's product is quicker than blocks of threads.
constexpr index_t least_rest_of_product = 3072;

}  // namespace

template <class T>
TreeTables<T>::TreeTables(const Analysis& analysis, count_t most_bytes)
    : analysis_(analysis),
      plan_(analysis.tree, {{0, analysis.tree.front_count() - 1}}),
      handed_(analysis.tree, plan_, 0),
      steps_(least_rest_of_product) {
    cut(most_bytes);
    for (const index_t f : plan_.fronts()) {
        const Front& front = analysis.tree.fronts[at(f)];
        squares_.push_back({nullptr, square_ld(front.nfront), front.nfront, front.npiv, nullptr, nullptr});
    }
    plan_.add_steps(analysis, squares_, steps_);
}

/// Half for the squares of a range, the rest for blocks between ranges; the largest front takes what it needs.
/// Where even that is more than there is, the tree stays whole, and bytes() tells.
template <class T>
void TreeTables<T>::cut(count_t most_bytes) {
    constexpr auto scalar_bytes = static_cast<count_t>(sizeof(T));
    // Steps are not planned yet: at most one for 16 columns and one a front.
    const count_t table_bytes = count_table_bytes() + (analysis_.order / 16 + static_cast<count_t>(analysis_.tree.fronts.size())) *
                                                          static_cast<count_t>(sizeof(FrontStep));
    const count_t room = std::max<count_t>(most_bytes - table_bytes, 0) / scalar_bytes;
    count_t largest = 0;
    for (const Front& front : analysis_.tree.fronts)
        largest = std::max(largest, round_up_8(static_cast<count_t>(front.nfront) * square_ld(front.nfront)));
    if (plan_.square_scalars() > room && largest <= room) {
        plan_ = SubtreePlan(analysis_.tree, cut_tree(analysis_.tree, std::max(room / 2, largest)));
        handed_ = HandedBlocks(analysis_.tree, plan_, room - plan_.square_scalars());
    }
    bytes_ = table_bytes + (plan_.square_scalars() + handed_.device_scalars()) * scalar_bytes;
}

template <class T>
T* TreeTables<T>::handed_block(index_t tree_front) const noexcept {
    const HandedBlock* const block = handed_.of(tree_front);
    if (block == nullptr) return nullptr;
    return (block->on_host ? handed_on_host_ : handed_room_.data()) + block->begin;
}

template <class T>
count_t TreeTables<T>::pivot_scalars() const noexcept {
    const Factorization kind = analysis_.factorization;
    const bool indefinite = kind == Factorization::ldlt || kind == Factorization::ldlh;
    return static_cast<count_t>(analysis_.order) * (indefinite ? 2 : 1);
}

template <class T>
count_t TreeTables<T>::perm_size() const noexcept {
    return analysis_.factorization == Factorization::llt ? 0 : analysis_.order;
}

template <class T>
count_t TreeTables<T>::count_table_bytes() const {
    const auto bytes = [](const auto& array) {
        return static_cast<count_t>(array.size() * sizeof(array.front()));
    };
    const AssemblyTree& tree = analysis_.tree;
    const count_t scalars = pivot_scalars() + static_cast<count_t>(analysis_.entry_map.row.size());
    return static_cast<count_t>(tree.fronts.size() * sizeof(SquareFront<T>)) + bytes(tree.relative_rows) + bytes(analysis_.entry_map.row) +
           bytes(analysis_.entry_map.column) + static_cast<count_t>(tree.fronts.size() * sizeof(FrontSources)) +
           static_cast<count_t>(tree.children.size() * sizeof(ChildBlock<T>)) +
           (perm_size() + child_row_count()) * static_cast<count_t>(sizeof(index_t)) + scalars * static_cast<count_t>(sizeof(T));
}

template <class T>
void TreeTables<T>::place_squares() {
    const Factorization kind = analysis_.factorization;
    for (std::size_t k = 0; k < squares_.size(); ++k) {
        const index_t f = plan_.fronts()[k];
        const count_t column = analysis_.tree.fronts[at(f)].first_column;
        squares_[k].data = squares_room_.data() + plan_.square_at(f);
        squares_[k].pivots = pivots() + (pivot_scalars() > analysis_.order ? 2 * column : column);
        if (kind != Factorization::llt) squares_[k].perm = perm() + column;
    }
}

template <class T>
std::vector<FrontSources> TreeTables<T>::front_sources() const {
    const AssemblyTree& tree = analysis_.tree;
    const auto& begin = analysis_.entry_map.front_begin;
    std::vector<FrontSources> sources;
    for (const index_t f : plan_.fronts())
        sources.push_back({begin[at(f)], begin[at(f) + 1], static_cast<index_t>(tree.child_begin[at(f)]),
                           static_cast<index_t>(tree.child_begin[at(f) + 1])});
    return sources;
}

template <class T>
std::vector<ChildBlock<T>> TreeTables<T>::child_blocks() const {
    const AssemblyTree& tree = analysis_.tree;
    std::vector<ChildBlock<T>> blocks;
    const index_t* row_of = child_row_of_.data();
    for (const index_t f : tree.children) {
        const Front& child = tree.fronts[at(f)];
        const T* const handed = handed_block(f);
        const count_t ld = handed != nullptr ? child.ncb() : square_ld(child.nfront);
        const T* const data =
            handed != nullptr ? handed : squares_room_.data() + plan_.square_at(f) + child.npiv * (1 + ld);
        blocks.push_back({data, ld, child.ncb(), child_rows_.data() + child.rows_begin, row_of});
        row_of += tree.fronts[at(child.parent)].nfront;
    }
    return blocks;
}

/// Rows of the parents of all children.
template <class T>
count_t TreeTables<T>::child_row_count() const {
    count_t rows = 0;
    for (const index_t f : analysis_.tree.children)
        rows += analysis_.tree.fronts[at(analysis_.tree.fronts[at(f)].parent)].nfront;
    return rows;
}

/// ChildBlock::row_of of one child after the other.
template <class T>
std::vector<index_t> TreeTables<T>::child_row_of() const {
    const AssemblyTree& tree = analysis_.tree;
    std::vector<index_t> row_of(at(child_row_count()), -1);
    index_t* of_child = row_of.data();
    for (const index_t f : tree.children) {
        const Front& child = tree.fronts[at(f)];
        for (index_t r = 0; r < child.ncb(); ++r) of_child[tree.relative_rows[at(child.rows_begin + r)]] = r;
        of_child += tree.fronts[at(child.parent)].nfront;
    }
    return row_of;
}

template <class T>
void TreeTables<T>::send(unsigned node, Stream stream, T* host_room) {
    handed_on_host_ = host_room;
    squares_room_ = DeviceMemory<T>(node, plan_.square_scalars());
    handed_room_ = DeviceMemory<T>(node, handed_.device_scalars());
    pivots_ = DeviceMemory<T>(node, pivot_scalars());
    perm_ = DeviceMemory<index_t>(node, perm_size());
    values_ = DeviceMemory<T>(node, static_cast<count_t>(analysis_.entry_map.row.size()));
    child_rows_ = on_device(node, stream, analysis_.tree.relative_rows);
    child_row_of_ = on_device(node, stream, child_row_of());
    entry_row_ = on_device(node, stream, analysis_.entry_map.row);
    entry_column_ = on_device(node, stream, analysis_.entry_map.column);
    sources_ = on_device(node, stream, front_sources());
    steps_there_ = on_device(node, stream, steps_.steps);
    children_ = on_device(node, stream, child_blocks());
    place_squares();
    fronts_there_ = on_device(node, stream, squares_);
}

#define FROND_INSTANTIATE(T) template class TreeTables<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
