// SPDX-License-Identifier: BSD-3-Clause
#include "solve_second_pass.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

constexpr int first_segment = 1;

/// The buffers' rows together, for as long as the task works on them.
template <class T>
struct GatheredVector {
    GatheredVector(index_t rows, index_t cols)
        : values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)),
          view{values.data(), rows, cols, std::max<index_t>(rows, 1)} {}

    HostVector<T> values;
    DenseView<T> view;
};

/// visit(entry of a buffer, entry of x).
template <class T, class Visit>
void for_each_position(const SecondPassGather& gather, void* buffers[], DenseView<T> x, Visit visit) {
    for (index_t i = 0; i < x.rows; ++i) {
        const SegmentRow& at = gather.rows[static_cast<std::size_t>(i)];
        const auto segment = matrix_buffer<T>(buffers, first_segment + at.segment);
        for (index_t j = 0; j < x.cols; ++j) visit(segment(at.row, j), x(i, j));
    }
}

/// visit(segment, its rows of y).
template <class T, class Visit>
void for_each_contribution(const SecondPassSolveArguments& a, void* buffers[], DenseView<T> y, Visit visit) {
    index_t first = 0;
    for (int s = 0; s < a.contribution_segments; ++s) {
        const auto segment = matrix_buffer<T>(buffers, first_segment + a.gather->segments + s);
        visit(segment, y.block(first, 0, segment.rows, y.cols));
        first += segment.rows;
    }
}

template <class T>
void copy_segment(DenseView<T> from, DenseView<T> to) {
    for (index_t j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
}

template <class T>
void solve_second_pass_cpu(void* buffers[], void* raw) noexcept {
    run_task<SecondPassSolveArguments>(raw, [&](const SecondPassSolveArguments& a) {
        const auto& second_pass = object_buffer<const cpu::SecondPass<T>>(buffers, 0);
        const SecondPassGather& gather = *a.gather;
        const index_t cols = matrix_buffer<T>(buffers, first_segment).cols;
        const GatheredVector<T> x(static_cast<index_t>(gather.rows.size()), cols);
        const GatheredVector<T> y(a.contribution_segments > 0 ? second_pass.ncb : 0, cols);
        for_each_position(gather, buffers, x.view, [](const T& entry, T& copy) { copy = entry; });
        for_each_contribution(a, buffers, y.view, [](auto segment, auto copy) { copy_segment(segment, copy); });
        const cpu::SecondPassRows rows{gather.row.data(), gather.row_after.data(), gather.column.data(), 0, 0};
        solve_second_pass(a.stage, a.operation, a.kind, second_pass, rows, x.view, y.view);
        for_each_position(gather, buffers, x.view, [](T& entry, const T& copy) { entry = copy; });
        if (a.stage == SolveStage::forward)
            for_each_contribution(a, buffers, y.view, [](auto segment, auto copy) { copy_segment(copy, segment); });
    });
}

}  // namespace

template <class T>
starpu_codelet& solve_second_pass_codelet() {
    static TaskKind kind("solve_second_pass", 0xC77DFF, TaskModel::Work::bytes, relative_speed<T>,
                         solve_second_pass_cpu<T>);
    return kind.codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& solve_second_pass_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
