// SPDX-License-Identifier: BSD-3-Clause
#include "update_failed.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
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
