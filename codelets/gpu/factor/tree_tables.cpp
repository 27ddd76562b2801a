// SPDX-License-Identifier: BSD-3-Clause
#include "factor/tree_tables.hpp"

#include <algorithm>
#include <cstdint>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/tree_run.hpp"

namespace frond::gpu {

template <class T>
T* TreeTables<T>::saved_block(index_t tree_front) const noexcept {
    const SavedBlock* const block = plan_.saved.of(tree_front);
    return block == nullptr ? nullptr : reinterpret_cast<T*>(relative_beginning(part_of(RoomNumber{block->room})));
}

template <class T>
void TreeTables<T>::place_squares() {
    const Analysis& analysis = plan_.analysis;
    count_t selections_before = 0;
    for (const SubtreePlan::Range& range : plan_.tree.ranges()) {
        if (!is_own(range)) continue;
        const std::vector<SubtreePlan::Level>& levels = plan_.tree.levels();
        for (index_t k = levels[at(range.first_level)].first; k < levels[at(range.last_level - 1)].last; ++k) {
            const index_t f = plan_.tree.fronts()[at(k)];
            const count_t column = analysis.tree.fronts[at(f)].first_column;
            squares_[at(k)].data = squares_room_.data() + plan_.tree.square_at(f);
            squares_[at(k)].pivots = pivots() + (plan_.pivot_scalars() > analysis.order ? 2 * column : column);
            if (plan_.perm_size() == 0) continue;
            squares_[at(k)].perm = perm() + column;
            squares_[at(k)].marks = marks_.data() + column;
            if (plan_.searched.empty() || plan_.searched[at(f)] == 0) continue;
            squares_[at(k)].row_of = row_of_.data() + column;
            squares_[at(k)].swaps = swaps_.data() + k;
            squares_[at(k)].selections = selections_.data() + selections_before;
            selections_before += pivot_selections(squares_[at(k)].npiv);
        }
    }
}

/// An address such that each column is at its position in the whole front.
template <class T>
void TreeTables<T>::place_strips() {
    for (std::size_t s = 0; s < strips_.size(); ++s) {
        const SubtreePlan::Strip& strip = plan_.tree.strips()[s];
        const DenseFront<T>& panel = squares_[at(strip.front)];
        if (panel.data == nullptr) continue;  // another device's
        const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(squares_room_.data() + strip.begin);
        strips_[s].data = reinterpret_cast<T*>(begin - at(strip.first * panel.ld) * sizeof(T));
        strips_[s].pivots = panel.pivots;
        strips_[s].perm = panel.perm;
    }
}

/// Children of which several blocks of columns are there have one each.
template <class T>
void TreeTables<T>::count_child_blocks() {
    first_child_block_.assign(1, 0);
    for (const index_t f : plan_.analysis.tree.children) {
        const SubtreePlan::SharedFront* const shared = plan_.tree.shared_front(f);
        first_child_block_.push_back(first_child_block_.back() +
                                     (shared == nullptr ? 1 : shared->blocks() - shared->own_blocks));
    }
}

template <class T>
FrontSources TreeTables<T>::sources_of(index_t f) const {
    const auto& entries = plan_.analysis.entry_map.front_begin;
    const auto& children = plan_.analysis.tree.child_begin;
    return {entries[at(f)], entries[at(f) + 1], first_child_block_[at(children[at(f)])],
            first_child_block_[at(children[at(f) + 1])]};
}

template <class T>
std::vector<FrontSources> TreeTables<T>::front_sources() const {
    std::vector<FrontSources> sources;
    for (const index_t f : plan_.tree.fronts()) sources.push_back(sources_of(f));
    for (const SubtreePlan::Strip& strip : plan_.tree.strips()) sources.push_back(sources[at(strip.front)]);
    return sources;
}

template <class T>
std::vector<ChildBlock<T>> TreeTables<T>::child_blocks() const {
    const AssemblyTree& tree = plan_.analysis.tree;
    std::vector<ChildBlock<T>> blocks;
    const index_t *row_of = child_row_of_.data(), *column_of = child_column_of_.data();
    for (const index_t f : tree.children) {
        const Front& child = tree.fronts[at(f)];
        const T* const saved = saved_block(f);
        const count_t ld = saved != nullptr ? child.ncb() : square_ld(child.nfront);
        const T* const data =
            saved != nullptr ? saved : squares_room_.data() + plan_.tree.square_at(f) + child.npiv * (1 + ld);
        if (const auto* const shared = plan_.tree.shared_front(f); shared != nullptr)
            add_blocks_of_columns(*shared, row_of, column_of, blocks);
        else
            blocks.push_back({data, ld, row_of, row_of});
        row_of += tree.fronts[at(child.parent)].nfront;
    }
    return blocks;
}

/// Adds the blocks of contribution columns, which lie in rooms.
template <class T>
void TreeTables<T>::add_blocks_of_columns(const SubtreePlan::SharedFront& child, const index_t* row_of,
                                          const index_t*& column_of, std::vector<ChildBlock<T>>& blocks) const {
    const Front& front = plan_.analysis.tree.fronts[at(child.front)];
    const auto number = static_cast<index_t>(&child - plan_.tree.shared().data());
    for (index_t b = child.own_blocks; b < child.blocks(); ++b) {
        const RoomNumber room{plan_.room_of_block(number, b)};
        const T* const data = reinterpret_cast<const T*>(relative_beginning(part_of(room))) + front.npiv;
        blocks.push_back({data, square_ld(front.nfront), row_of, column_of});
        column_of += plan_.analysis.tree.fronts[at(front.parent)].nfront;
    }
}

/// ChildBlock::column_of of blocks of columns: columns of the parent that are in the block, from its first on.
template <class T>
std::vector<index_t> TreeTables<T>::child_column_of() const {
    const AssemblyTree& tree = plan_.analysis.tree;
    std::vector<index_t> column_of;
    for (const index_t f : tree.children) {
        const SubtreePlan::SharedFront* const shared = plan_.tree.shared_front(f);
        if (shared == nullptr) continue;
        const Front& child = tree.fronts[at(f)];
        for (index_t b = shared->own_blocks; b < shared->blocks(); ++b) {
            const std::size_t begin = column_of.size();
            column_of.resize(begin + at(tree.fronts[at(child.parent)].nfront), -1);
            for (index_t c = shared->cut[at(b)]; c < shared->cut[at(b) + 1]; ++c)
                column_of[begin + at(tree.relative_rows[at(child.rows_begin + c - child.npiv)])] =
                    c - shared->cut[at(b)];
        }
    }
    return column_of;
}

/// ChildBlock::row_of of one child after the other, listed by the device: it is longer than the rows that it is made of,
/// and new memory takes the host long.
template <class T>
DeviceMemory<index_t> TreeTables<T>::child_row_of(unsigned node, Stream stream) const {
    const AssemblyTree& tree = plan_.analysis.tree;
    std::vector<ChildRows> rows;
    rows.reserve(tree.children.size());
    count_t first = 0;
    for (const index_t f : tree.children) {
        const Front& child = tree.fronts[at(f)];
        rows.push_back({child.rows_begin, first, child.ncb()});
        first += tree.fronts[at(child.parent)].nfront;
    }
    DeviceMemory<index_t> row_of(node, first);
    const DeviceMemory<index_t> relative_rows = on_device(node, stream, tree.relative_rows);
    const DeviceMemory<ChildRows> rows_there = on_device(node, stream, rows);
    list_child_rows<T>(stream, static_cast<index_t>(rows.size()), rows_there.data(), relative_rows.data(), first,
                       row_of.data());
    check(FROND_GPU(StreamSynchronize)(stream), "listing the rows of children");
    return row_of;
}

template <class T>
void TreeTables<T>::make_selections(unsigned node, Stream stream) {
    selections_ = DeviceMemory<PivotSelection>(node, selections_of_search(plan_.analysis.tree, plan_.searched));
    if (selections_.bytes() == 0) return;
    check(FROND_GPU(MemsetAsync)(selections_.data(), 0, selections_.bytes(), stream),
          "clearing the counters of a search for pivots");
}

template <class T>
void TreeTables<T>::send(unsigned node, Stream stream) {
    const Analysis& analysis = plan_.analysis;
    child_row_of_ = child_row_of(node, stream);  // what it is made of goes before the squares come
    squares_room_ = DeviceMemory<T>(node, plan_.tree.square_scalars(device_));
    pivots_ = DeviceMemory<T>(node, plan_.pivot_scalars());
    perm_ = DeviceMemory<index_t>(node, plan_.perm_size());
    marks_ = DeviceMemory<PivotMark>(node, plan_.perm_size());
    if (!plan_.searched.empty()) {
        row_of_ = DeviceMemory<index_t>(node, plan_.perm_size());
        swaps_ = DeviceMemory<RowSwaps>(node, static_cast<count_t>(squares_.size()));
        make_selections(node, stream);
    }
    values_ = DeviceMemory<T>(node, static_cast<count_t>(analysis.entry_map.row.size()));
    count_child_blocks();
    child_column_of_ = on_device(node, stream, child_column_of());
    entry_row_ = on_device(node, stream, analysis.entry_map.row);
    entry_column_ = on_device(node, stream, analysis.entry_map.column);
    sources_ = on_device(node, stream, front_sources());
    steps_there_ = on_device(node, stream, plan_.steps.steps);
    children_ = on_device(node, stream, child_blocks());
    place_squares();
    place_strips();
    std::vector<DenseFront<T>> fronts(squares_);
    fronts.insert(fronts.end(), strips_.begin(), strips_.end());
    fronts_there_ = on_device(node, stream, fronts);
}

#define FROND_INSTANTIATE(T) template class TreeTables<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
