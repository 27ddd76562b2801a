// SPDX-License-Identifier: BSD-3-Clause
#include "eliminate_failed.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

template <class T>
void eliminate(EliminateFailedArguments& a, cpu::FailedColumns<T>& failed, cpu::SecondPass<T>& second_pass,
               cpu::DelayedColumns<T>& delayed, PivotOutcome& outcome) {
    if (!failed.empty()) {
        cpu::eliminate_failed(a.kind, a.at_root, std::move(failed), a.rule, second_pass, delayed, outcome.counts);
        a.flops = second_pass_flops(a.kind, recorded_second_pass(second_pass), second_pass.ncb) * flops_per_real<T>;
        a.work.flops = a.flops;
    }
    announce_hand_over(a.at_root ? nullptr : &delayed, outcome);
}

template <class T>
void eliminate_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<EliminateFailedArguments>(raw, [&](EliminateFailedArguments& a) {
        cpu::DelayedColumns<T> none;  // at a root
        eliminate(a, object_buffer<cpu::FailedColumns<T>>(buffers, 0), object_buffer<cpu::SecondPass<T>>(buffers, 1),
                  a.at_root ? none : object_buffer<cpu::DelayedColumns<T>>(buffers, 3),
                  outcome_buffer(a.kind, buffers, 2));
    });
}

/// Contribution rows of the failed columns. False: a rank has stopped.
template <class T>
bool collect(const EliminateSharedArguments& a, void* buffers[], cpu::FailedColumns<T>& failed) {
    const int first = a.at_root ? 4 : 5;
    for (index_t s = 0; s < a.sources; ++s) {
        const auto& parts = object_buffer<const cpu::FailedParts<T>>(buffers, first + s);
        if (parts.made == 0) return false;
        for (std::size_t i = 0; i < parts.tiles.size(); ++i) {
            if (parts.parts[i].rows != failed.rows() || parts.parts[i].cols != failed.cols()) return false;
            cpu::collect_part(parts.parts[i], a.grid->cut[static_cast<std::size_t>(parts.tiles[i])], failed);
        }
    }
    return true;
}

template <class T>
void eliminate_shared_cpu(void* buffers[], void* raw) noexcept {
    run_task<EliminateSharedArguments>(raw, [&](EliminateSharedArguments& a) {
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 0);
        auto& second_pass = object_buffer<cpu::SecondPass<T>>(buffers, 1);
        auto& sent = object_buffer<cpu::SecondPass<T>>(buffers, 3);
        cpu::DelayedColumns<T> none;
        if (!collect(a, buffers, failed)) return;
        eliminate(a, failed, second_pass, a.at_root ? none : object_buffer<cpu::DelayedColumns<T>>(buffers, 4),
                  object_buffer<PivotOutcome>(buffers, 2));
        a.account->take(second_pass.bytes());
        sent = second_pass;
        sent.own_rows = {};  // no other rank needs L and U of own rows and columns
        sent.own_columns = {};
    });
}

}  // namespace

FROND_DEFINE_CODELETS(eliminate_failed_codelet, "eliminate_failed", 0xB5179E, TaskModel::Work::flops, relative_speed<T>,
                      eliminate_failed_cpu<T>)

FROND_DEFINE_CODELETS(eliminate_shared_codelet, "eliminate_shared", 0xB5179E, TaskModel::Work::flops, relative_speed<T>,
                      eliminate_shared_cpu<T>)

namespace {

template <class T>
void update_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<UpdateFailedArguments>(raw, [&](const UpdateFailedArguments& a) {
        const auto& panel = object_buffer<const cpu::AcceptedPanel<T>>(buffers, 0);
        auto& part = object_buffer<cpu::FailedPart<T>>(buffers, 1);
        const auto& columns = object_buffer<const cpu::FailedParts<T>>(buffers, 4);
        const auto& rows = a.rows_apart ? object_buffer<const cpu::FailedParts<T>>(buffers, 5) : columns;
        if (panel.made == 0 || columns.made == 0 || rows.made == 0 || part.is_void != 0) {
            part.is_void = 1;
            return;
        }
        typename cpu::FactoredPanel<T>::Tile tile;
        tile.begin = a.begin;
        tile.left = matrix_buffer<T>(buffers, 2);
        (a.kind == Factorization::lu ? tile.upper : tile.spare) = matrix_buffer<T>(buffers, 3);
        cpu::update_failed_part(a.kind, panel, a.is_own, tile, columns.find(a.tile), rows.find(a.tile), part,
                                a.account);
    });
}

/// Where a rank has stopped the columns are no use, and nobody uses them.
template <class T>
void keep_failed_cpu(void* buffers[], void* raw) noexcept {
    run_task<KeepFailedArguments>(raw, [&](const KeepFailedArguments& a) {
        const auto& panel = object_buffer<const cpu::AcceptedPanel<T>>(buffers, 0);
        auto& failed = object_buffer<cpu::FailedColumns<T>>(buffers, 1);
        if (panel.made == 0 || panel.rows != failed.rows() || panel.cols != failed.cols()) return;
        cpu::keep_failed(a.kind, panel, a.first_column, a.first_position, failed);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(update_failed_codelet, "update_failed", 0xE9C46A, TaskModel::Work::flops, relative_speed<T>,
                      update_failed_cpu<T>)

FROND_DEFINE_CODELETS(keep_failed_codelet, "keep_failed", 0xE9C46A, TaskModel::Work::flops, relative_speed<T>,
                      keep_failed_cpu<T>)

}  // namespace frond
