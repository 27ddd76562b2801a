// SPDX-License-Identifier: BSD-3-Clause
#include "accept_pivots.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/many_failed_columns.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

/// Accepting the pivots of a panel of n columns with `below` rows after it, of which `kept` columns stay: solves and
/// updates of the failed columns; the columns not kept are multiplied back.
constexpr double accept_symmetric_flops(double n, double kept, double below, double failed) {
    const double back = n - kept;
    return solve_panel_flops(failed, n) + update_flops(failed, below, kept) + update_lower_flops(failed, kept) +
           back * back * (below + failed + back / 3);
}
constexpr double accept_lu_flops(double n, double kept, double below, double rows, double cols) {
    const double back = n - kept;
    return solve_panel_flops(rows + cols, n) + update_flops(rows + cols, below, kept) + update_flops(rows, cols, kept) +
           update_flops(below + rows, back, kept) + back * back * (below + cols + 2 * back / 3);
}

template <class T>
cpu::FactoredPanel<T> panel_of(const AcceptPivotsArguments<T>& a, void* buffers[]) {
    const auto cut = [&a](index_t t) { return a.grid->cut[static_cast<std::size_t>(t)]; };
    cpu::FactoredPanel<T> panel;
    panel.first_column = cut(a.panel);
    panel.first_position = a.first_position + cut(a.panel);
    panel.diagonal = matrix_buffer<T>(buffers, 0);
    const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 1), panel.diagonal.cols);
    panel.perm = record.perm;
    panel.pivots = record.pivots;
    panel.replaced = record.replaced;
    int buffer = 3;
    for (index_t t = a.panel + 1; t < a.grid->tiles(); ++t) {
        auto& tile = panel.tiles.emplace_back();
        tile.begin = cut(t);
        tile.left = matrix_buffer<T>(buffers, buffer++);
        tile.spare = matrix_buffer<T>(buffers, buffer++);
        tile.spare.cols = tile.left.cols;  // the panel backup is as wide as the widest panel
        if (a.kind == Factorization::lu) tile.upper = matrix_buffer<T>(buffers, buffer++);
    }
    return panel;
}

template <class T>
void accept_pivots_cpu(void* buffers[], void* raw) noexcept {
    run_task<AcceptPivotsArguments<T>>(raw, [&](AcceptPivotsArguments<T>& a) {
        cpu::FactoredPanel<T> panel = panel_of(a, buffers);
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 2);
        accept_pivots_on_host(a, panel, failed, outcome_buffer(a.kind, buffers, 1));
    });
}

}  // namespace

double accept_flops(Factorization kind, const TileGrid& grid, index_t panel, const RecordedPanel& found) {
    const double n = grid.size(panel), below = grid.cut.back() - grid.cut[static_cast<std::size_t>(panel) + 1];
    return kind == Factorization::lu ? accept_lu_flops(n, found.kept, below, found.rows, found.columns)
                                     : accept_symmetric_flops(n, found.kept, below, found.rows);
}

template <class T>
void accept_pivots_on_host(AcceptPivotsArguments<T>& a, cpu::FactoredPanel<T>& panel, cpu::FailedColumns<T>& failed,
                           PivotOutcome& outcome) {
    const index_t rows = failed.rows(), cols = failed.cols();
    outcome.kept = cpu::accept_pivots(a.kind, a.rule, outcome.limit.columns.load(std::memory_order_relaxed), panel,
                                      failed, outcome.counts);
    outcome.note_largest();
    outcome.failed_rows = failed.rows();
    outcome.failed_columns = failed.cols();
    a.flops = accept_flops(a.kind, *a.grid, a.panel, {rows, cols, outcome.kept}) * flops_per_real<T>;
    a.work.flops = a.flops;
    if (a.most_failed >= 0 && failed.cols() > a.most_failed) throw ManyFailedColumns(failed.cols());
}

FROND_DEFINE_CODELETS(accept_pivots_codelet, "accept_pivots", 0xE9C46A, TaskModel::Work::bytes, relative_speed<T>,
                      accept_pivots_cpu<T>, gpu::accept_pivots<T>)

#define FROND_INSTANTIATE(T)                                                                                          \
    template void accept_pivots_on_host<T>(AcceptPivotsArguments<T>&, cpu::FactoredPanel<T>&, cpu::FailedColumns<T>&, \
                                           PivotOutcome&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
