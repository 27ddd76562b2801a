// SPDX-License-Identifier: BSD-3-Clause
#include "engine/callers_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "frond/base/contract.hpp"

namespace frond::detail {

using gpu::MemoryPlace;

namespace {

/// Asked of the system, since the vendor's runtime would take a device to answer. Where it does not say: true.
bool host_can_read(const void* memory) {
    char byte = 0;
    iovec to{&byte, 1}, from{const_cast<void*>(memory), 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1 || errno != EFAULT;
}

}  // namespace

void expect_host_memory(const void* memory, const std::string& name) {
    FROND_EXPECTS(host_can_read(memory),
                  name +
                      " is not in memory that the host can read, and the session has no device; give it one "
                      "(frond info says which), or copy " +
                      name + " to the host");
}

MemoryPlace checked_place(const void* memory, const gpu::Device& device, const std::string& name) {
    const MemoryPlace place = gpu::place_of(memory, device.device);
    FROND_EXPECTS(place != MemoryPlace::other_device,
                  name + " is on another device than the one where the session solves, which is device " +
                      std::to_string(device.device) + "; copy it there, or to the host");
    return place;
}

}  // namespace frond::detail
