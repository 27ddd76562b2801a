// SPDX-License-Identifier: BSD-3-Clause
#include "decide_pivots.hpp"

#include "accept_pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/many_failed_columns.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

void tell_limit_cpu(void* buffers[], void* raw) noexcept {
    run_task<TellLimitArguments>(raw, [&](const TellLimitArguments&) {
        const PanelLimit& limit = outcome_buffer(Factorization::lu, buffers, 0).limit;  // any kind with records
        *vector_buffer<TileLimit>(buffers, 1) = {limit.columns.load(), limit.largest_l.load()};
    });
}

/// False: a rank has stopped.
bool add_limits(const DecidePivotsArguments& a, void* buffers[], PanelLimit& limit) {
    for (index_t i = 0; i < a.limits; ++i) {
        const TileLimit& told = *vector_buffer<const TileLimit>(buffers, 4 + i);
        if (told.columns < 0) return false;
        limit.add(static_cast<index_t>(told.columns), told.largest_l);
    }
    return true;
}

template <class T>
void decide_pivots_cpu(void* buffers[], void* raw) noexcept {
    run_task<DecidePivotsArguments>(raw, [&](DecidePivotsArguments& a) {
        PivotOutcome& outcome = outcome_buffer(a.kind, buffers, 1);
        auto& part = object_buffer<cpu::FailedPart<T>>(buffers, 2);
        auto& accepted = object_buffer<cpu::AcceptedPanel<T>>(buffers, 3);
        if (part.is_void != 0 || !add_limits(a, buffers, outcome.limit)) return;
        cpu::FactoredDiagonal<T> diagonal;
        diagonal.tile = matrix_buffer<T>(buffers, 0);
        const auto record = PivotRecord<T>::at(vector_buffer<unsigned char>(buffers, 1), diagonal.tile.cols);
        diagonal.perm = record.perm;
        diagonal.pivots = record.pivots;
        diagonal.replaced = record.replaced;
        accepted =
            cpu::decide_pivots(a.kind, a.rule, outcome.limit.columns.load(), diagonal, part, outcome.counts, a.account);
        outcome.kept = accepted.kept;
        outcome.note_largest();
        outcome.failed_rows = accepted.rows + accepted.given_back();
        outcome.failed_columns = accepted.cols + accepted.given_back();
        a.flops =
            accept_flops(a.kind, *a.grid, a.panel, {accepted.rows, accepted.cols, accepted.kept}) * flops_per_real<T>;
        a.work.flops = a.flops;
        if (a.most_failed >= 0 && outcome.failed_columns > a.most_failed)
            throw ManyFailedColumns(outcome.failed_columns);
    });
}

}  // namespace

starpu_codelet& tell_limit_codelet() {
    static starpu_codelet codelet = make_codelet("tell_limit", tell_limit_cpu, 0xC9B458);
    return codelet;
}

FROND_DEFINE_CODELETS(decide_pivots_codelet, "decide_pivots", 0xE9C46A, TaskModel::Work::bytes, relative_speed<T>,
                      decide_pivots_cpu<T>)

}  // namespace frond
