// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/device_room.hpp"

namespace frond {

/// Never destroyed: memory of sessions in static variables is freed after all else has gone.
DeviceRoom& device_room() noexcept {
    static union Forever {
        DeviceRoom room;
        Forever() noexcept : room() {}
        ~Forever() {}
    } forever;
    return forever.room;
}

}  // namespace frond
