// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {

/// The device of the calling thread is `device` while this lives. An error that a call of the application left on
/// this thread, and returned it, is forgotten: the next launch would be blamed for it.
class CurrentDevice {
public:
    explicit CurrentDevice(int device) {
        static_cast<void>(FROND_GPU(GetLastError)());
        check(FROND_GPU(GetDevice)(&before_), "asking for the current device");
        check(FROND_GPU(SetDevice)(device), "choosing the device");
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;
    ~CurrentDevice() { ignore(FROND_GPU(SetDevice)(before_)); }

private:
    int before_ = 0;
};

/// Memory of the current device that StarPU does not count: for what is over before tasks need it. @throws DeviceError
template <class T>
class ShortLivedMemory {
public:
    explicit ShortLivedMemory(count_t size) {
        check(FROND_GPU(Malloc)(reinterpret_cast<void**>(&data_), static_cast<std::size_t>(size) * sizeof(T)),
              "allocating on the device for a short time");
    }
    ShortLivedMemory(const ShortLivedMemory&) = delete;
    ShortLivedMemory& operator=(const ShortLivedMemory&) = delete;
    ~ShortLivedMemory() { ignore(FROND_GPU(Free)(data_)); }
    T* data() const noexcept { return data_; }

private:
    T* data_ = nullptr;
};

/// Device memory that StarPU counts, so that it evicts tiles to make room. @throws DeviceError
template <class S>
class DeviceMemory {
public:
    DeviceMemory() = default;
    DeviceMemory(unsigned node, count_t size) : node_(node), bytes_(static_cast<std::size_t>(size) * sizeof(S)) {
        if (bytes_ == 0) return;
        const KeptDevice kept;
        if (device_room().admits(DeviceRoom::Use::tables))
            data_ = reinterpret_cast<S*>(starpu_malloc_on_node(node, bytes_));
        if (data_ == nullptr) throw DeviceError("no room for " + std::to_string(bytes_) + " bytes on the device");
        spoil_new_memory(data_, bytes_);
        device_room().add(DeviceRoom::Use::tables, static_cast<count_t>(bytes_));
    }
    DeviceMemory(DeviceMemory&& o) noexcept
        : node_(o.node_), bytes_(o.bytes_), data_(std::exchange(o.data_, nullptr)), start_(o.start_) {}
    DeviceMemory& operator=(DeviceMemory&& o) noexcept {
        std::swap(node_, o.node_);
        std::swap(bytes_, o.bytes_);
        std::swap(data_, o.data_);
        std::swap(start_, o.start_);
        return *this;
    }
    ~DeviceMemory() {
        if (data_ == nullptr) return;
        device_room().remove(DeviceRoom::Use::tables, static_cast<count_t>(bytes_));
        if (!start_.is_running() || !works(node_)) return;
        const KeptDevice kept;
        starpu_free_on_node(node_, reinterpret_cast<uintptr_t>(data_), bytes_);
    }

    S* data() const noexcept { return data_; }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    unsigned node_ = 0;
    std::size_t bytes_ = 0;
    S* data_ = nullptr;
    StarpuStart start_;
};

/// memory := host; the memory is new only where its size is another.
template <class S, class Allocator>
void send_table(unsigned node, Stream stream, const std::vector<S, Allocator>& host, DeviceMemory<S>& memory) {
    if (memory.bytes() != host.size() * sizeof(S)) memory = {node, static_cast<count_t>(host.size())};
    if (host.empty()) return;
    check(FROND_GPU(MemcpyAsync)(memory.data(), host.data(), memory.bytes(), FROND_GPU(MemcpyHostToDevice), stream),
          "sending tables of the solve");
    check(FROND_GPU(StreamSynchronize)(stream), "sending tables of the solve");
}

/// A copy of a table; the host's may go when this returns.
template <class S, class Allocator>
DeviceMemory<S> on_device(unsigned node, Stream stream, const std::vector<S, Allocator>& host) {
    DeviceMemory<S> memory;
    send_table(node, stream, host, memory);
    return memory;
}

}  // namespace frond::gpu
