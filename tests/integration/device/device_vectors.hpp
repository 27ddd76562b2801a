// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides and solutions in the memory of the session's device, and work in streams of its own.
#pragma once

#include "factors/state_of.hpp"
#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/devices.hpp"
#include "rhs_block.hpp"
#include "run_both.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace frond::test {

/// A copy of a block, guards included, on the device of the session; in the host's memory where it has none.
template <class T>
class DeviceVectors {
public:
    explicit DeviceVectors(const RhsBlock<T>& block) : shape_(block), host_(block) {
        if (!has_device()) return;
        place_ = gpu::first_device();
        REQUIRE(place_.has_value());
        const detail::JobGuard guard(*detail::state_of(device_session()));
        data_ = starpu_malloc_on_node(place_->memory_node, bytes());
        REQUIRE(data_ != 0);
        gpu::CallersStream(place_->device, nullptr)
            .copy(gpu::CallersStream::Copy::to_device, column_of(host_.view().data).as_const(), column_of(data()));
    }
    DeviceVectors(const DeviceVectors&) = delete;
    DeviceVectors& operator=(const DeviceVectors&) = delete;
    ~DeviceVectors() {
        if (data_ != 0 && gpu::works(place_->memory_node)) starpu_free_on_node(place_->memory_node, data_, bytes());
    }

    T* data() { return data_ != 0 ? reinterpret_cast<T*>(data_) : host_.view().data; }
    std::size_t bytes() const { return static_cast<std::size_t>(values()) * sizeof(T); }
    BlockView<T> view() { return {data(), shape_.rows(), shape_.cols(), ld()}; }
    BlockView<const T> const_view() { return {data(), shape_.rows(), shape_.cols(), ld()}; }

    RhsBlock<T> fetched() {
        if (data_ != 0)
            gpu::CallersStream(place_->device, nullptr)
                .copy(gpu::CallersStream::Copy::to_host, column_of(data()).as_const(), column_of(host_.view().data));
        return host_;
    }

private:
    count_t ld() const { return shape_.view().ld; }
    count_t values() const { return ld() * shape_.cols(); }
    DenseView<T> column_of(T* start) const {
        const auto n = static_cast<index_t>(values());
        return {start, n, 1, n};
    }

    RhsBlock<T> shape_, host_;
    std::optional<gpu::Device> place_;
    std::uintptr_t data_ = 0;
};

/// A function of the vendor's runtime by its name without "cuda" or "hip"; it must be there and succeed.
template <class... Arguments>
void vendor_call(const std::string& name, Arguments... arguments) {
    const std::string prefix = gpu::vendor_of_build() == DeviceVendor::amd ? "hip" : "cuda";
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_DEFAULT, (prefix + name).c_str()));
    CAPTURE(name);
    REQUIRE(bool(function != nullptr));
    REQUIRE(int(function(arguments...)) == 0);
}

/// A stream of the current device that waits for no other.
class ApplicationStream {
public:
    ApplicationStream() { vendor_call<void**, unsigned>("StreamCreateWithFlags", &stream_, non_blocking); }
    ApplicationStream(const ApplicationStream&) = delete;
    ApplicationStream& operator=(const ApplicationStream&) = delete;
    ~ApplicationStream() { vendor_call<void*>("StreamDestroy", stream_); }

    void* get() const { return stream_; }
    void wait() const { vendor_call<void*>("StreamSynchronize", stream_); }
    /// What is queued next comes a fifth of a second later.
    void delay() const {
        void (*const sleep)(void*) = [](void*) { usleep(200000); };
        vendor_call<void*, void (*)(void*), void*>("LaunchHostFunc", stream_, sleep, nullptr);
    }
    void copy_on_device(void* to, const void* from, std::size_t bytes) const {
        constexpr int device_to_device = 3;
        vendor_call<void*, const void*, std::size_t, int, void*>("MemcpyAsync", to, from, bytes, device_to_device,
                                                                 stream_);
    }

private:
    static constexpr unsigned non_blocking = 1;
    void* stream_ = nullptr;
};

}  // namespace frond::test
