// SPDX-License-Identifier: BSD-3-Clause
#include "failed_columns.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/task_kind.hpp"

#include <map>

namespace frond {
namespace {

void simulate_gather_failed(void**, void* raw) noexcept {
    simulate_task<GatherFailedArguments>(raw, [](const GatherFailedArguments& a) {
        a.memory->provide();
        return 0;
    });
}

/// What a child has delayed is empty afterwards: another run, where memory was refused, goes on with the next one.
template <class T>
void gather_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<GatherFailedArguments>(raw, [&](const GatherFailedArguments& a) {
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 0);
        int buffer = 2;
        for (count_t c = a.tree->child_begin[at(a.front)]; c < a.tree->child_begin[at(a.front) + 1]; ++c) {
            const Front& child = a.tree->fronts[at(a.tree->children[at(c)])];
            cpu::take_delayed(a.kind, object_buffer<cpu::DelayedColumns<T>>(buffers, buffer++),
                              a.tree->relative_rows.data() + child.rows_begin, failed);
        }
        a.memory->provide();
    });
}

}  // namespace

template <class T>
starpu_codelet& gather_failed_codelet() {
    static TaskKind kind("gather_failed", 0x7FB685, TaskModel::Work::flops, relative_speed<T>, gather_failed_cpu<T>);
    kind.set_simulated_body(simulate_gather_failed);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& gather_failed_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

namespace {

template <class Visit>
void for_each_part(const FailedPartsArguments& a, index_t rank, const Visit& visit) {
    for (index_t t = a.first_tile; t < a.grid->tiles(); ++t)
        if (a.table->owner(t, t) == rank) visit(t);
}

template <class T>
void deal_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<FailedPartsArguments>(raw, [&](const FailedPartsArguments& a) {
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 0);
        int buffer = 1;
        for (const index_t r : owners_of_failed_parts(*a.table, *a.grid, 0)) {
            auto& parts = object_buffer<cpu::FailedParts<T>>(buffers, buffer++);
            parts.made = 1;
            if (failed.empty()) continue;
            for_each_part(a, r, [&](index_t t) {
                cpu::deal_part(a.kind, failed, a.grid->cut[static_cast<std::size_t>(t)], a.grid->size(t), parts.add(t),
                               a.account);
            });
        }
    });
}

template <class T>
void take_parts_cpu(void* buffers[], void* raw) noexcept {
    run_task<FailedPartsArguments>(raw, [&](const FailedPartsArguments& a) {
        auto& parts = object_buffer<cpu::FailedParts<T>>(buffers, 0);
        if (a.table->rank.front() != a.rank) a.account->take(parts.bytes());  // they have come from there
        std::size_t next = 0;
        int buffer = 1;
        for_each_part(a, a.rank, [&](index_t) {
            auto& part = object_buffer<cpu::FailedPart<T>>(buffers, buffer++);
            if (next < parts.parts.size()) part = std::move(parts.parts[next++]);
            part.is_void = 1 - parts.made;
        });
        parts.parts.clear();
        parts.tiles.clear();
    });
}

template <class T>
void collect_parts_cpu(void* buffers[], void* raw) noexcept {
    run_task<FailedPartsArguments>(raw, [&](const FailedPartsArguments& a) {
        auto& parts = object_buffer<cpu::FailedParts<T>>(buffers, 0);
        parts.made = 1;
        int buffer = 1;
        for_each_part(a, a.rank, [&](index_t t) {
            auto& part = object_buffer<cpu::FailedPart<T>>(buffers, buffer++);
            if (part.is_void != 0) parts.made = 0;
            if (part.rows > 0 || part.cols > 0) parts.add(t) = std::move(part);
        });
    });
}

}  // namespace

FROND_DEFINE_CODELETS(deal_failed_codelet, "deal_failed", 0x7FB685, TaskModel::Work::flops, relative_speed<T>,
                      deal_failed_cpu<T>)

FROND_DEFINE_CODELETS(take_parts_codelet, "take_parts", 0x7FB685, TaskModel::Work::flops, relative_speed<T>,
                      take_parts_cpu<T>)

FROND_DEFINE_CODELETS(collect_parts_codelet, "collect_parts", 0x7FB685, TaskModel::Work::flops, relative_speed<T>,
                      collect_parts_cpu<T>)

namespace {

template <class T>
class GiveBack {
public:
    GiveBack(const GiveBackArguments& a, void* buffers[])
        : a_(a),
          buffers_(buffers),
          lu_(a.kind == Factorization::lu),
          is_diagonal_here_(a.table->owner(a.panel, a.panel) == a.rank),
          panel_(object_buffer<const cpu::AcceptedPanel<T>>(buffers, 0)) {}

    void run() {
        if (panel_.made == 0) return;
        next_ = is_diagonal_here_ ? 3 : 2;
        for (index_t t = a_.panel + 1; t < a_.grid->tiles(); ++t) add_tile(t);
        for (const auto& [source, destination] : given_back_pairs(*a_.table, *a_.grid, !lu_, a_.panel)) {
            if (source != a_.rank) continue;
            back_[destination] = &object_buffer<cpu::FailedParts<T>>(buffers_, next_++);
            back_[destination]->made = 1;
        }
        if (panel_.given_back() == 0) return;
        for (const auto& [t, tile] : tiles_)
            cpu::give_back_tile(a_.kind, panel_, as_const(diagonal()), t < a_.grid->own_tiles, tile,
                                back_.at(a_.table->owner(t, t))->add(t), a_.account);
        if (is_diagonal_here_) clear();
    }

private:
    DenseView<T> diagonal() const { return matrix_buffer<T>(buffers_, 1); }

    void add_tile(index_t t) {
        typename cpu::FactoredPanel<T>::Tile tile;
        tile.begin = a_.grid->cut[static_cast<std::size_t>(t)];
        if (a_.table->owner(t, a_.panel) == a_.rank) {
            tile.left = matrix_buffer<T>(buffers_, next_++);
            tile.spare = matrix_buffer<T>(buffers_, next_++);
        }
        if (lu_ && a_.table->owner(a_.panel, t) == a_.rank) tile.upper = matrix_buffer<T>(buffers_, next_++);
        if (tile.left.data != nullptr || tile.upper.data != nullptr) tiles_.push_back({t, tile});
    }

    void clear() const {
        const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers_, 2), diagonal().cols);
        cpu::clear_diagonal(a_.kind, panel_.kept,
                            cpu::FactoredDiagonal<T>{diagonal(), record.perm, record.pivots, record.replaced});
    }

    const GiveBackArguments& a_;
    void** buffers_;
    bool lu_, is_diagonal_here_;
    const cpu::AcceptedPanel<T>& panel_;
    int next_ = 0;
    std::vector<std::pair<index_t, typename cpu::FactoredPanel<T>::Tile>> tiles_;
    std::map<index_t, cpu::FailedParts<T>*> back_;  // by rank
};

template <class T>
void give_back_cpu(void* buffers[], void* raw) noexcept {
    run_task<GiveBackArguments>(raw, [&](const GiveBackArguments& a) { GiveBack<T>(a, buffers).run(); });
}

}  // namespace

FROND_DEFINE_CODELETS(give_back_codelet, "give_back", 0xE9C46A, TaskModel::Work::flops, relative_speed<T>,
                      give_back_cpu<T>)

}  // namespace frond
