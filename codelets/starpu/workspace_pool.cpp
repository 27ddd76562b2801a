// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/workspace_pool.hpp"

#include "frond/base/error.hpp"
#include "frond/codelets/device_room.hpp"

namespace frond {

/// Never destroyed: memory of sessions in static variables is freed after all else has gone.
DeviceRoom& device_room() noexcept {
    static DeviceRoom& room = *new DeviceRoom;
    return room;
}

WorkspacePool::Lease WorkspacePool::lend(count_t bytes) {
    if (bytes > block_bytes_)
        throw RuntimeError("internal: a task asked for " + std::to_string(bytes) +
                           " bytes of workspace, the pool's blocks have " + std::to_string(block_bytes_));
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            HostBlock block = std::move(idle_.back());
            idle_.pop_back();
            return {*this, std::move(block)};
        }
    }
    return {*this, HostBlock(block_bytes_)};
}

void WorkspacePool::give_back(HostBlock block) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(block));
    } catch (...) {
        // No room to remember the block: it is freed here and the next task allocates its own.
    }
}

}  // namespace frond
