// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/leftover_flops.hpp"

namespace frond {
namespace {

template <class T>
cpu::FactoredPanel<T> panel_of(const SettlePanelArguments<T>& a, void* buffers[]) {
    const auto cut = [&a](index_t t) { return a.grid->cut[static_cast<std::size_t>(t)]; };
    cpu::FactoredPanel<T> panel;
    panel.first_column = cut(a.panel);
    panel.first_slot = a.first_slot + cut(a.panel);
    panel.diagonal = matrix_buffer<T>(buffers, 0);
    const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 1), panel.diagonal.cols);
    panel.perm = record.perm;
    panel.pivots = record.pivots;
    panel.replaced = record.replaced;
    int buffer = 2;
    for (index_t t = a.panel + 1; t < a.grid->tiles(); ++t) {
        auto& tile = panel.tiles.emplace_back();
        tile.begin = cut(t);
        tile.left = matrix_buffer<T>(buffers, buffer++);
        tile.spare = matrix_buffer<T>(buffers, buffer++);
        tile.spare.cols = tile.left.cols;  // the ring is as wide as the widest panel
        if (a.kind == Factorization::lu) tile.upper = matrix_buffer<T>(buffers, buffer++);
    }
    return panel;
}

template <class T>
void settle_panel_cpu(void* buffers[], void* raw) noexcept {
    run_task<SettlePanelArguments<T>>(raw, [&](SettlePanelArguments<T>& a) {
        cpu::FactoredPanel<T> panel = panel_of(a, buffers);
        const index_t rows = a.pending->rows(), cols = a.pending->cols();
        *a.kept = cpu::settle_panel(a.kind, a.rule, a.limit->columns.load(std::memory_order_relaxed), panel, *a.pending,
                                    *a.report);
        note_largest(a);
        a.flops = settle_flops(a, panel.diagonal.cols, rows, cols);
    });
}

template <class T>
void eliminate_pending_cpu(void**, void* raw) noexcept {
    run_task<EliminatePendingArguments<T>>(raw, [&](EliminatePendingArguments<T>& a) {
        if (a.pending->empty()) return;
        cpu::eliminate_pending(a.kind, a.at_root, std::move(*a.pending), a.rule, *a.leftover, *a.delayed, *a.report);
        a.flops = leftover_flops(a.kind, *a.leftover) * flops_per_real<T>;
    });
}

template <class T>
void update_leftover_cpu(void* buffers[], void* raw) noexcept {
    run_task<UpdateLeftoverArguments<T>>(raw, [&](const UpdateLeftoverArguments<T>& a) {
        cpu::update_contribution(a.kind, *a.leftover, a.first_row, a.first_column, a.lower,
                                 matrix_buffer<T>(buffers, 0), a.account);
    });
}

}  // namespace

template <class T>
starpu_codelet& settle_panel_codelet() {
    static starpu_codelet codelet = make_codelet("settle_panel", settle_panel_cpu<T>, 0xE9C46A);
    return codelet;
}

template <class T>
starpu_codelet& eliminate_pending_codelet() {
    static starpu_codelet codelet = make_codelet("eliminate_pending", eliminate_pending_cpu<T>, 0xB5179E);
    return codelet;
}

template <class T>
starpu_codelet& update_leftover_codelet() {
    static starpu_codelet codelet = make_codelet("update_leftover", update_leftover_cpu<T>, 0x7FB685);
    return codelet;
}

#define FROND_INSTANTIATE(T)                                 \
    template starpu_codelet& settle_panel_codelet<T>();      \
    template starpu_codelet& eliminate_pending_codelet<T>(); \
    template starpu_codelet& update_leftover_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
