// SPDX-License-Identifier: BSD-3-Clause
#include "store_part.hpp"

#include "frond/codelets/task_kind.hpp"

namespace frond {

starpu_codelet& store_part_codelet() {
    constexpr int on_host = 1;
    static TaskKind kind("store_part", 0xA8DADC, TaskModel::Work::bytes, 1, nullptr, gpu::store_part,
                         DeviceRun::until_done, on_host);
    return kind.codelet;
}

}  // namespace frond
