// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "engine/device_block.hpp"
#include "frond/base/host_block.hpp"
#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/devices.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// B and X of a solve where the caller has them, in the host's memory or in that of the session's first device.
/// The session must be inside a job while it is made; it must outlive the work with its views.
template <class T>
class CallersBlocks {
public:
    /// What becomes of B where X is the same memory.
    enum class SameMemory : bool { keep_b, callers_care };

    /// stream: see SolveOptions. same: callers_care counts for memory of the host in a session without devices.
    /// @throws InvalidArgument  for memory that is neither, or a stream without such a device; DeviceError
    CallersBlocks(SessionState& session, DenseView<const T> b, DenseView<T> x, void* stream,
                  SameMemory same = SameMemory::keep_b);
    CallersBlocks(const CallersBlocks&) = delete;
    CallersBlocks& operator=(const CallersBlocks&) = delete;

    /// A copy where X would be written over it.
    DenseView<const T> b() const { return b_; }
    gpu::MemoryPlace b_place() const { return b_place_; }
    DenseView<T> x() const { return x_; }
    gpu::MemoryPlace x_place() const { return x_place_; }
    /// What comes before the solve; null where nothing on the device does.
    const gpu::CallersStream* stream() const { return stream_ ? &*stream_ : nullptr; }

    /// B in the host's memory, fetched when first asked for.
    DenseView<const T> host_b();
    /// Memory of the host that stands for X until send_x(); X itself where that is the host's.
    DenseView<T> host_x();
    /// X on the host, with what it has.
    DenseView<const T> fetch_x();
    void send_x();
    /// X := B, which is the copy of X where both were given as the same memory.
    void copy_b_to_x();

private:
    void keep_b();
    bool keep_b_on_device();

    DenseView<const T> b_;
    DenseView<T> x_;
    gpu::MemoryPlace b_place_ = gpu::MemoryPlace::host, x_place_ = gpu::MemoryPlace::host;
    std::optional<gpu::Device> device_;
    std::optional<gpu::CallersStream> stream_;
    DeviceBlock b_on_device_;
    HostBlock b_on_host_, x_on_host_;
};

}  // namespace frond::detail
