// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_tables.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Rows behind a block from which on the vendor's product is quicker than blocks of threads.
constexpr index_t least_rest_of_product = 3072;

Subtree whole(const AssemblyTree& tree) { return {0, tree.front_count() - 1, 0, 0, 0}; }

}  // namespace

template <class T>
TreeTables<T>::TreeTables(const Analysis& analysis)
    : analysis_(analysis), plan_(analysis.tree, whole(analysis.tree)), steps_(least_rest_of_product) {
    for (const index_t f : plan_.fronts()) {
        const Front& front = analysis.tree.fronts[at(f)];
        squares_.push_back({nullptr, square_ld(front.nfront), front.nfront, front.npiv, nullptr, nullptr});
    }
    plan_.add_steps(analysis, squares_, steps_);
    bytes_ = count_bytes();
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
count_t TreeTables<T>::count_bytes() const {
    const auto bytes = [](const auto& array) {
        return static_cast<count_t>(array.size() * sizeof(array.front()));
    };
    const AssemblyTree& tree = analysis_.tree;
    const count_t scalars =
        plan_.room_scalars(0) + plan_.room_scalars(1) + pivot_scalars() + static_cast<count_t>(analysis_.entry_map.row.size());
    return bytes(squares_) + bytes(steps_.steps) + bytes(tree.relative_rows) + bytes(analysis_.entry_map.row) +
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
        squares_[k].data = room(plan_.room(f)) + plan_.square_at(f);
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
        const count_t ld = square_ld(child.nfront);
        blocks.push_back({room(plan_.room(f)) + plan_.square_at(f) + child.npiv * (1 + ld), ld, child.ncb(),
                          child_rows_.data() + child.rows_begin, row_of});
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
void TreeTables<T>::send(unsigned node, Stream stream) {
    for (const index_t which : {0, 1}) rooms_[which] = DeviceMemory<T>(node, plan_.room_scalars(which));
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
