// SPDX-License-Identifier: BSD-3-Clause
#include "bring_piece.hpp"

#include "frond/codelets/task_kind.hpp"

namespace frond {

starpu_codelet& bring_piece_codelet() {
    static TaskKind kind("bring_piece", 0xA8DADC, TaskModel::Work::bytes, 1, nullptr, gpu::bring_piece);
    return kind.codelet;
}

}  // namespace frond
