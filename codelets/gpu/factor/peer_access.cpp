// SPDX-License-Identifier: BSD-3-Clause
#include "factor/peer_access.hpp"

#include "check.hpp"

namespace frond::gpu {

bool reach_each_other(int device, int other) {
    int there = 0, back = 0;
    const bool asked = FROND_GPU(DeviceCanAccessPeer)(&there, device, other) == FROND_GPU(Success) &&
                       FROND_GPU(DeviceCanAccessPeer)(&back, other, device) == FROND_GPU(Success);
    if (!asked) static_cast<void>(FROND_GPU(GetLastError)());
    return asked && there != 0 && back != 0;
}

void open_to_peers(const std::vector<Device>& devices, std::size_t number) {
    for (const Device& other : devices) {
        if (other.device == devices[number].device) continue;
        const auto status = FROND_GPU(DeviceEnablePeerAccess)(other.device, 0);
        if (status == FROND_GPU(ErrorPeerAccessAlreadyEnabled))
            static_cast<void>(FROND_GPU(GetLastError)());
        else
            check(status, "letting devices reach each other");
    }
}

}  // namespace frond::gpu
