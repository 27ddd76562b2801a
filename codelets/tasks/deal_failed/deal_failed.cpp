// SPDX-License-Identifier: BSD-3-Clause
#include "deal_failed.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
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

}  // namespace frond
