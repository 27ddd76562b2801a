// SPDX-License-Identifier: BSD-3-Clause
#include "child_rows.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

#include <algorithm>

namespace frond {
namespace {

template <class T>
void gather_children_cpu(void* buffers[], void* raw) noexcept {
    run_task<GatherArguments>(raw, [&](const GatherArguments& a) {
        for (index_t s = a.own_segments; s < a.segments; ++s) {
            const auto segment = matrix_buffer<T>(buffers, s);
            for (index_t j = 0; j < segment.cols; ++j) std::fill_n(&segment(0, j), segment.rows, T(0));
        }
        int first = a.segments;
        for (const ChildLink& link : *a.links) {
            for_each_linked_row(link, [&](int child, index_t r, int segment, index_t row) {
                const auto from = matrix_buffer<T>(buffers, first + child);
                const auto to = matrix_buffer<T>(buffers, segment);
                for (index_t j = 0; j < to.cols; ++j) to(row, j) += from(r, j);
            });
            first += static_cast<int>(link.child_cut.size()) - 1;
        }
    });
}

}  // namespace

template <class T>
starpu_codelet& gather_children_codelet() {
    static TaskKind kind("gather_children", 0x9BB1D4, TaskModel::Work::bytes, relative_speed<T>,
                         gather_children_cpu<T>);
    return kind.codelet;
}

namespace {

template <class T>
void scatter_to_child_cpu(void* buffers[], void* raw) noexcept {
    run_task<ScatterArguments>(raw, [&](const ScatterArguments& a) {
        const int first = static_cast<int>(a.link->child_cut.size()) - 1;
        for_each_linked_row(*a.link, [&](int child, index_t r, int segment, index_t row) {
            const auto to = matrix_buffer<T>(buffers, child);
            const auto from = matrix_buffer<T>(buffers, first + segment);
            for (index_t j = 0; j < to.cols; ++j) to(r, j) = from(row, j);
        });
    });
}

}  // namespace

template <class T>
starpu_codelet& scatter_to_child_codelet() {
    static TaskKind kind("scatter_to_child", 0xB8C7E0, TaskModel::Work::bytes, relative_speed<T>,
                         scatter_to_child_cpu<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T)                               \
    template starpu_codelet& gather_children_codelet<T>(); \
    template starpu_codelet& scatter_to_child_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
