// SPDX-License-Identifier: BSD-3-Clause
// What the tasks of a front that several devices share are made of: its blocks of columns, their data and their work.
#pragma once

#include <vector>

#include "frond/base/vector_index.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/task_work.hpp"
#include "submit/whole_tree/tree_workspace.hpp"
#include "tasks/panel/factor_columns.hpp"

namespace frond::detail {

template <class T>
class ColumnBlocksOfFront {
public:
    ColumnBlocksOfFront(const FactorsState<T>& state, TreeWorkspace<T>& workspace, index_t number)
        : state_(state),
          workspace_(workspace),
          number_(number),
          front_(workspace.resident->shared_fronts()[at(number)]),
          piece_(workspace.resident->pieces()[at(front_.piece)]) {}

    const gpu::SharedFrontBlocks& front() const { return front_; }
    const gpu::TreePiece& piece() const { return piece_; }
    bool is_unsymmetric() const { return state_.kind() == Factorization::lu; }

    index_t devices() const { return static_cast<index_t>(workspace_.resident->used_devices()); }
    bool has_tail() const { return front_.tail < front_.own_blocks; }
    /// The number of the joined block, too.
    index_t blocks() const { return static_cast<index_t>(front_.blocks.size()) - (has_tail() ? 1 : 0); }
    std::vector<index_t> blocks_of(index_t device, index_t first) const {
        std::vector<index_t> numbers;
        for (index_t b = first; b < blocks(); ++b)
            if (front_.blocks[at(b)].device == device) numbers.push_back(b);
        return numbers;
    }
    DataRef room(gpu::RoomNumber number) const {
        return workspace_.rooms.handles()[static_cast<std::size_t>(number)].get();
    }
    DataRef handle(index_t block) const { return room(front_.blocks[at(block)].room); }
    Access order_of(index_t device) const { return {workspace_.order_of_pieces[at(device)].get(), STARPU_RW}; }

    FactorColumnsArguments arguments(gpu::ColumnStep step, index_t device, std::vector<index_t> block_numbers,
                                     std::vector<gpu::PartNumber> parts = {}) const {
        FactorColumnsArguments a;
        a.tree = workspace_.resident.get();
        a.front = number_;
        a.device = device;
        a.step = step;
        a.block_count = static_cast<index_t>(block_numbers.size());
        a.part_count = static_cast<index_t>(parts.size());
        a.blocks = workspace_.column_lists.blocks.emplace_back(std::move(block_numbers)).data();
        a.parts = workspace_.column_lists.parts.emplace_back(std::move(parts)).data();
        a.place = Place::device;
        a.worker = workspace_.devices[at(device)].worker;
        a.label = label_of_front(state_.analysis->tree, piece_.first_front);
        a.label.piece = front_.piece;
        return a;
    }

    double columns(index_t b) const { return front_.blocks[at(b)].last - front_.blocks[at(b)].first; }
    /// Rows from the first column of the block on.
    double rows(index_t b) const { return front_.blocks[at(blocks() - 1)].last - front_.blocks[at(b)].first; }
    double flops_of_update(index_t panel, index_t b) const {
        const double updated = is_unsymmetric() ? rows(panel) : rows(b);
        return 2 * columns(panel) * columns(b) * updated * flops_per_real<T>;
    }
    double flops_of_elimination(index_t b) const { return columns(b) * columns(b) * rows(b) * flops_per_real<T>; }
    double flops_of_joined_block() const {
        const double order = columns(blocks());
        return order * order * order / (is_unsymmetric() ? 1.5 : 3) * flops_per_real<T>;
    }

private:
    const FactorsState<T>& state_;
    TreeWorkspace<T>& workspace_;
    index_t number_;
    const gpu::SharedFrontBlocks& front_;
    const gpu::TreePiece& piece_;
};

}  // namespace frond::detail
