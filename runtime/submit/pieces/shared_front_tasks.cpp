// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pieces/shared_front_tasks.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "submit/pieces/column_blocks_of_front.hpp"
#include "submit/pieces/moved_blocks.hpp"
#include "tasks/panel/factor_columns.hpp"

namespace frond::detail {
namespace {

using gpu::ColumnStep;

/// The tasks of one front.
template <class T>
class ColumnTasks {
public:
    ColumnTasks(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, index_t number)
        : job_(job), state_(state), workspace_(workspace), blocks_(state, workspace, number), front_(blocks_.front()) {}

    void submit() {
        for (index_t d = 0; d < blocks_.devices(); ++d) gather(d);
        if (front_.tail > 0) eliminate(-1, 0);
        for (index_t k = 0; k < front_.tail; ++k) {
            const bool is_last = k + 1 == front_.tail;
            if (!is_last) eliminate(k, k + 1);
            for (index_t d = 0; d < blocks_.devices(); ++d)
                is_last ? update_and_move(k, d) : update(k, d, blocks_.blocks_of(d, k + 2));
        }
        if (blocks_.has_tail()) join();
        store();
    }

private:
    void insert(const FactorColumnsArguments& a, const std::vector<Access>& accesses, AfterTask after = {}) const {
        const int priority = a.step == ColumnStep::update ? STARPU_MAX_PRIO - 1 : STARPU_MAX_PRIO;
        insert_task(job_, factor_columns_codelet<T>(a.step), a, accesses, priority, after);
    }

    void gather(index_t device) {
        const std::vector<index_t> own = blocks_.blocks_of(device, 0);
        if (own.empty()) return;
        std::vector<Access> accesses;
        std::vector<gpu::PartNumber> parts;
        for (const index_t b : own) accesses.push_back({blocks_.handle(b), STARPU_W});
        for (const gpu::RoomNumber number : blocks_.piece().reads) {
            accesses.push_back({blocks_.room(number), STARPU_R});
            parts.push_back(gpu::part_of(number));
        }
        accesses.push_back(blocks_.order_of(device));
        insert(blocks_.arguments(ColumnStep::gather, device, own, std::move(parts)), accesses);
    }

    /// panel: whose pivots were not subtracted yet; -1: none.
    void eliminate(index_t panel, index_t block) {
        const index_t device = front_.blocks[at(block)].device;
        const bool has_panel = panel >= 0;
        FactorColumnsArguments a =
            blocks_.arguments(ColumnStep::advance, device, has_panel ? std::vector{panel, block} : std::vector{block});
        a.panels = has_panel ? 1 : 0;
        a.label.step = block;
        a.flops = blocks_.flops_of_elimination(block) + (has_panel ? blocks_.flops_of_update(panel, block) : 0);
        a.work.items = 1;
        std::vector<Access> accesses;
        if (has_panel) accesses.push_back({blocks_.handle(panel), STARPU_R});
        accesses.push_back({blocks_.handle(block), STARPU_RW});
        insert(a, accesses, move_to_others(block));
    }

    /// Moves a block to the devices that have columns behind it.
    AfterTask move_to_others(index_t block) {
        std::vector<MovedBlock>& moved = workspace_.column_lists.moved.emplace_back();
        add_others(block, moved);
        return moved.empty() ? AfterTask{} : AfterTask{begin_to_move, &moved};
    }

    void add_others(index_t block, std::vector<MovedBlock>& moved) const {
        for (index_t d = 0; d < blocks_.devices(); ++d) add_device(block, d, moved);
    }
    void add_device(index_t block, index_t device, std::vector<MovedBlock>& moved) const {
        const unsigned own = workspace_.devices[at(front_.blocks[at(block)].device)].memory_node;
        if (const unsigned node = workspace_.devices[at(device)].memory_node; node != own)
            moved.push_back({blocks_.handle(block), node});
    }

    /// The last update of all blocks: a few at a time, which set out for the front above, or to be joined, while the others
    /// are updated.
    void update_and_move(index_t panel, index_t device) {
        constexpr std::size_t at_a_time = 2;
        const std::vector<index_t> all = blocks_.blocks_of(device, panel + 1);
        for (std::size_t k = 0; k < all.size(); k += at_a_time) {
            std::vector<index_t> few(all.begin() + static_cast<std::ptrdiff_t>(k),
                                     all.begin() + static_cast<std::ptrdiff_t>(std::min(k + at_a_time, all.size())));
            std::vector<MovedBlock>& moved = workspace_.column_lists.moved.emplace_back();
            for (const index_t b : few) b < front_.own_blocks ? add_device(b, 0, moved) : add_others(b, moved);
            update(panel, device, std::move(few), moved.empty() ? AfterTask{} : AfterTask{begin_to_move, &moved});
        }
    }

    void update(index_t panel, index_t device, std::vector<index_t> numbers, AfterTask after = {}) {
        if (numbers.empty()) return;
        double flops = 0;
        std::vector<Access> accesses{{blocks_.handle(panel), STARPU_R}};
        for (const index_t b : numbers) {
            accesses.push_back({blocks_.handle(b), STARPU_RW});
            flops += blocks_.flops_of_update(panel, b);
        }
        numbers.insert(numbers.begin(), panel);
        FactorColumnsArguments a = blocks_.arguments(ColumnStep::update, device, std::move(numbers));
        a.panels = 1;
        a.label.step = panel;
        a.flops = flops;
        a.work.items = static_cast<double>(a.block_count);
        // Beside the elimination of the next block.
        if (const std::vector<int> others = other_workers(workspace_.devices[at(device)]); !others.empty())
            a.worker = others.front();
        insert(a, accesses, after);
    }

    void join() {
        std::vector<index_t> numbers;
        std::vector<Access> accesses;
        for (index_t b = front_.tail; b < front_.own_blocks; ++b) {
            numbers.push_back(b);
            accesses.push_back({blocks_.handle(b), STARPU_R});
        }
        numbers.push_back(blocks_.blocks());
        accesses.push_back({blocks_.handle(blocks_.blocks()), STARPU_W});
        FactorColumnsArguments a = blocks_.arguments(ColumnStep::join, 0, std::move(numbers));
        a.panels = front_.own_blocks - front_.tail;
        a.label.step = front_.tail;
        a.flops = blocks_.flops_of_joined_block();
        a.work.items = blocks_.columns(blocks_.blocks());
        insert(a, accesses);
    }

    void store() {
        constexpr index_t first = 0;
        std::vector<index_t> numbers;
        std::vector<Access> accesses;
        std::vector<gpu::PartNumber> parts;
        // Columns behind the fully summed ones have rows of U.
        const index_t with_factors = blocks_.is_unsymmetric() ? blocks_.blocks() : front_.own_blocks;
        for (index_t b = 0; b < blocks_.blocks() + (blocks_.has_tail() ? 1 : 0); ++b) {
            const bool is_joined = b >= front_.tail && b < front_.own_blocks;
            if (is_joined || (b >= with_factors && b < blocks_.blocks())) continue;
            numbers.push_back(b);
            accesses.push_back({blocks_.handle(b), STARPU_R});
        }
        const FactorLayout<T>& layout = *workspace_.layout;
        for (std::size_t p = 0; p < layout.parts.size(); ++p) {
            if (layout.parts[p].pieces.front() != front_.piece) continue;
            parts.push_back(layout.number_of(p));
            accesses.push_back({state_.factors.parts.handles()[p].get(), STARPU_W});
        }
        accesses.push_back(blocks_.order_of(first));
        insert(blocks_.arguments(ColumnStep::store, first, std::move(numbers), std::move(parts)), accesses);
    }

    Job& job_;
    const FactorsState<T>& state_;
    TreeWorkspace<T>& workspace_;
    ColumnBlocksOfFront<T> blocks_;
    const gpu::SharedFrontBlocks& front_;
};

}  // namespace

template <class T>
void submit_shared_front(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, index_t number) {
    ColumnTasks<T>(job, state, workspace, number).submit();
}

template <class T>
void submit_fetching_of_pivots(Job& job, TreeWorkspace<T>& workspace) {
    const auto& fronts = workspace.resident->shared_fronts();
    for (std::size_t d = 0; d < workspace.resident->used_devices() && !fronts.empty(); ++d) {
        FactorColumnsArguments a;
        a.tree = workspace.resident.get();
        a.device = static_cast<index_t>(d);
        a.step = ColumnStep::fetch_pivots;
        a.place = Place::device;
        a.worker = workspace.devices[d].worker;
        std::vector<Access> accesses;
        for (const gpu::SharedFrontBlocks& front : fronts)
            for (const gpu::SharedFrontBlocks::Block& block : front.blocks)
                if (at(block.device) == d)
                    accesses.push_back(
                        {workspace.rooms.handles()[static_cast<std::size_t>(block.room)].get(), STARPU_R});
        accesses.push_back({workspace.order_of_pieces[d].get(), STARPU_RW});
        insert_task(job, factor_columns_codelet<T>(a.step), a, accesses, STARPU_MAX_PRIO);
    }
}

#define FROND_INSTANTIATE(T)                                                                        \
    template void submit_shared_front<T>(Job&, const FactorsState<T>&, TreeWorkspace<T>&, index_t); \
    template void submit_fetching_of_pivots<T>(Job&, TreeWorkspace<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
