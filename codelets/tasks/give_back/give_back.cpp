// SPDX-License-Identifier: BSD-3-Clause
#include "give_back.hpp"

#include <map>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
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
