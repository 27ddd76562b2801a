// SPDX-License-Identifier: BSD-3-Clause
// What work outside the tasks has of its own on a device.
#pragma once

#include "blas_library.hpp"
#include "check.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/gpu/devices.hpp"
#include "worker/blas_handles.hpp"

namespace frond::gpu {

/// A stream of the current device.
class OwnStream {
public:
    /// Kernels of urgent streams start before those of others that wait, too.
    enum class Urgency : bool { usual, urgent };

    explicit OwnStream(Urgency urgency = Urgency::usual) {
        int least = 0, most = 0;
        check(FROND_GPU(DeviceGetStreamPriorityRange)(&least, &most), "asking for priorities of streams");
        check(FROND_GPU(StreamCreateWithPriority)(&stream_, FROND_GPU(StreamNonBlocking),
                                                  urgency == Urgency::urgent ? most : least),
              "making a stream");
    }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    ~OwnStream() {
        if (!has_lost_device()) ignore(FROND_GPU(StreamDestroy)(stream_));
    }
    Stream stream() const noexcept { return stream_; }
    void drain() const { check(FROND_GPU(StreamSynchronize)(stream_), "waiting for the device"); }

private:
    Stream stream_ = nullptr;
};

/// A stream and a BLAS handle on it. To be destroyed where its device is current.
class Queue : public OwnStream {
public:
    explicit Queue(Urgency urgency = Urgency::usual) : OwnStream(urgency) {
        try {
            blas_ = take_blas_handle();
            check_blas(blas_library().set_stream(blas_, stream()), "set_stream");
        } catch (...) {
            release();
            throw;
        }
    }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    ~Queue() { release(); }
    BlasHandle blas() const noexcept { return blas_; }

private:
    /// What there is of it.
    void release() noexcept {
        if (blas_ != nullptr) keep_blas_handle(blas_);
    }

    BlasHandle blas_ = nullptr;
};

/// Host memory that the device reads and writes at full speed.
template <class T>
class PinnedMemory {
public:
    explicit PinnedMemory(count_t size) : bytes_(size * static_cast<count_t>(sizeof(T))) {
        if (size == 0) return;
        if (!device_room().admits(DeviceRoom::Use::pinned))
            throw DeviceError("no room for " + std::to_string(bytes_) + " bytes of pinned memory");
        check(allocate_pinned(reinterpret_cast<void**>(&data_), static_cast<std::size_t>(size) * sizeof(T)),
              "pinning host memory");
        device_room().add(DeviceRoom::Use::pinned, bytes_);
    }
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() {
        if (data_ == nullptr) return;
        device_room().remove(DeviceRoom::Use::pinned, bytes_);
        if (!has_lost_device()) ignore(free_pinned(data_));
    }
    T* data() const noexcept { return data_; }

private:
    count_t bytes_ = 0;
    T* data_ = nullptr;
};

}  // namespace frond::gpu
