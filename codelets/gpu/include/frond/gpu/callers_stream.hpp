// SPDX-License-Identifier: BSD-3-Clause
// What the application has on a device: memory, and work in a stream of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "frond/cpu/dense_view.hpp"

namespace frond::gpu {

enum class MemoryPlace : std::uint8_t { host, device, other_device };

/// Where the memory is, for that device of the vendor's runtime. Managed memory counts as the device's: the host
/// may not read it before what is queued there has ended.
/// @throws DeviceError
MemoryPlace place_of(const void* memory, int device);

/// What the application had queued in a stream of the device when this was made.
/// Calls of the device's runtime are made by the calling thread, whose current device is restored.
/// @throws DeviceError
class CallersStream {
public:
    /// stream: cudaStream_t or hipStream_t of that device, null for the legacy default stream.
    CallersStream(int device, void* stream);
    CallersStream(const CallersStream&) = delete;
    CallersStream& operator=(const CallersStream&) = delete;
    ~CallersStream();

    /// The vendor's event after that work.
    void* event() const noexcept { return event_; }
    /// The calling thread waits for that work.
    void wait() const;

    enum class Copy : std::uint8_t { to_host, to_device, on_device };
    /// to := from, after that work; ends with the copy. to: [from.rows, from.cols].
    template <class T>
    void copy(Copy kind, DenseView<const T> from, DenseView<T> to) const {
        constexpr std::size_t size = sizeof(T);
        copy_columns(kind, {from.data, static_cast<std::size_t>(from.ld) * size},
                     {to.data, static_cast<std::size_t>(to.ld) * size}, static_cast<std::size_t>(from.rows) * size,
                     static_cast<std::size_t>(from.cols));
    }

private:
    struct Source {
        const void* data;
        std::size_t ld_bytes;
    };
    struct Target {
        void* data;
        std::size_t ld_bytes;
    };
    void copy_columns(Copy kind, const Source& from, const Target& to, std::size_t column_bytes,
                      std::size_t columns) const;

    int device_;
    void* event_ = nullptr;
};

}  // namespace frond::gpu
