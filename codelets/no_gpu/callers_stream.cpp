// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/callers_stream.hpp"

#include "frond/base/error.hpp"

namespace frond::gpu {

MemoryPlace place_of(const void*, int) { return MemoryPlace::host; }

CallersStream::CallersStream(int device, void*) : device_(device) {
    throw DeviceError("this build of Frond has no device tasks");
}

CallersStream::~CallersStream() = default;

void CallersStream::wait() const {}

void CallersStream::copy_columns(Copy, const Source&, const Target&, std::size_t, std::size_t) const {
    static_cast<void>(device_);
}

}  // namespace frond::gpu
