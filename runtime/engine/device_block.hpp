// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {

/// One piece of device memory that StarPU counts, handed out from its start on; freed at destruction.
class DeviceBlock {
public:
    DeviceBlock() = default;
    /// @throws DeviceError
    DeviceBlock(unsigned node, count_t bytes) : node_(node), bytes_(bytes) {
        const gpu::KeptDevice kept;
        if (device_room().admits(DeviceRoom::Use::factors))
            data_ = reinterpret_cast<unsigned char*>(starpu_malloc_on_node(node, static_cast<std::size_t>(bytes)));
        if (data_ == nullptr) throw DeviceError("no room for " + std::to_string(bytes) + " bytes on the device");
        device_room().add(DeviceRoom::Use::factors, bytes);
    }
    DeviceBlock(DeviceBlock&& o) noexcept { swap(o); }
    DeviceBlock& operator=(DeviceBlock&& o) noexcept {
        DeviceBlock gone(std::move(o));
        swap(gone);
        return *this;
    }
    ~DeviceBlock() {
        if (data_ == nullptr) return;
        device_room().remove(DeviceRoom::Use::factors, bytes_);
        if (!start_.is_running() || !gpu::works(node_)) return;
        const gpu::KeptDevice kept;
        starpu_free_on_node(node_, reinterpret_cast<uintptr_t>(data_), static_cast<std::size_t>(bytes_));
    }

    static constexpr count_t aligned(count_t bytes) { return (bytes + 255) / 256 * 256; }

    unsigned node() const noexcept { return node_; }
    count_t bytes() const noexcept { return bytes_; }
    bool is_empty() const noexcept { return data_ == nullptr; }
    /// The next `bytes` of it. There must be so many.
    void* take(count_t bytes) noexcept {
        unsigned char* const start = data_ + used_;
        used_ += aligned(bytes);
        return start;
    }

private:
    void swap(DeviceBlock& o) noexcept {
        std::swap(node_, o.node_);
        std::swap(bytes_, o.bytes_);
        std::swap(used_, o.used_);
        std::swap(data_, o.data_);
        std::swap(start_, o.start_);
    }

    unsigned node_ = 0;
    count_t bytes_ = 0, used_ = 0;
    unsigned char* data_ = nullptr;
    StarpuStart start_;
};

}  // namespace frond::detail
