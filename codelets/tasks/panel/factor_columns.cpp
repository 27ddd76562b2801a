// SPDX-License-Identifier: BSD-3-Clause
#include "factor_columns.hpp"

#include <array>
#include <cstddef>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {

/// In the order of ColumnStep.
template <class T>
starpu_codelet& factor_columns_codelet(gpu::ColumnStep step) {
    using Work = TaskModel::Work;
    constexpr auto body = gpu::factor_columns<T>;
    static std::array<TaskKind, 6> kinds{
        TaskKind{"gather_columns", 0x457B9D, Work::bytes, 1, nullptr, body},
        TaskKind{"eliminate_columns", 0x1D3557, Work::piece, relative_speed<T>, nullptr, body},
        TaskKind{"update_columns", 0x2A6F97, Work::piece, relative_speed<T>, nullptr, body},
        TaskKind{"join_columns", 0x1D3557, Work::piece, relative_speed<T>, nullptr, body},
        TaskKind{"store_columns", 0x457B9D, Work::bytes, 1, nullptr, body},
        TaskKind{"fetch_pivots", 0xA8DADC, Work::bytes, 1, nullptr, body}};
    return kinds[static_cast<std::size_t>(step)].codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_columns_codelet<T>(gpu::ColumnStep);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
