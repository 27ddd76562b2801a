// SPDX-License-Identifier: BSD-3-Clause
#include "solve/callers_blocks.hpp"

#include <algorithm>

#include "engine/callers_memory.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/block_views.hpp"

namespace frond::detail {
namespace {

using gpu::MemoryPlace;
using Copy = gpu::CallersStream::Copy;

template <class T>
bool overlap(DenseView<const T> b, DenseView<T> x) {
    const T* const b_end = b.data + static_cast<count_t>(b.cols) * b.ld;
    const T* const x_end = x.data + static_cast<count_t>(x.cols) * x.ld;
    return b.data < x_end && x.data < b_end;
}

template <class T>
count_t bytes_of(DenseView<T> v) {
    return static_cast<count_t>(v.rows) * v.cols * static_cast<count_t>(sizeof(T));
}

/// [rows, cols] at the start of memory.
template <class T, class U>
DenseView<T> dense_in(void* memory, DenseView<U> like) {
    return {static_cast<T*>(memory), like.rows, like.cols, std::max<index_t>(like.rows, 1)};
}

}  // namespace

template <class T>
CallersBlocks<T>::CallersBlocks(SessionState& session, DenseView<const T> b, DenseView<T> x, void* stream,
                                SameMemory same)
    : b_(b), x_(x), device_(session.has_devices() ? gpu::first_device() : std::nullopt) {
    FROND_EXPECTS(device_ || stream == nullptr, "stream is for a session with a device; leave it null");
    if (b.empty() && x.empty()) return;
    const auto place_of = [&](const auto& block, const char* name) {  // of a rank, one of them may be empty
        if (block.empty()) return MemoryPlace::host;
        if (device_) return checked_place(block.data, *device_, name);
        expect_host_memory(block.data, name);
        return MemoryPlace::host;
    };
    b_place_ = place_of(b, "B");
    x_place_ = place_of(x, "X");
    const bool on_host = b_place_ == MemoryPlace::host && x_place_ == MemoryPlace::host;
    if (!on_host || stream != nullptr) stream_.emplace(device_->device, stream);
    if (on_host && stream_) stream_->wait();
    const bool left_to_caller = same == SameMemory::callers_care && !device_ && b.data == x.data && b.ld == x.ld;
    if (overlap(b, x) && !left_to_caller) keep_b();
}

template <class T>
void CallersBlocks<T>::keep_b() {
    if (b_place_ == MemoryPlace::device) {
        if (keep_b_on_device()) return;
        b_ = host_b();
    } else {
        b_on_host_ = HostBlock(bytes_of(b_));
        const auto kept = dense_in<T>(b_on_host_.data(), b_);
        copy_block<T>(b_, kept);
        b_ = kept;
    }
    b_place_ = MemoryPlace::host;
}

/// False: there is no room.
template <class T>
bool CallersBlocks<T>::keep_b_on_device() {
    try {
        b_on_device_ = DeviceBlock(device_->memory_node, bytes_of(b_));
    } catch (const DeviceError&) {
        return false;
    }
    const auto kept = dense_in<T>(b_on_device_.take(bytes_of(b_)), b_);
    stream_->copy(Copy::on_device, b_, kept);
    b_ = kept;
    return true;
}

template <class T>
DenseView<const T> CallersBlocks<T>::host_b() {
    if (b_place_ == MemoryPlace::host) return b_;
    const bool there = b_on_host_.bytes() > 0;
    if (!there) b_on_host_ = HostBlock(bytes_of(b_));
    const auto view = dense_in<T>(b_on_host_.data(), b_);
    if (!there) stream_->copy(Copy::to_host, b_, view);
    return view;
}

template <class T>
DenseView<T> CallersBlocks<T>::host_x() {
    if (x_place_ == MemoryPlace::host) return x_;
    if (x_on_host_.bytes() == 0) x_on_host_ = HostBlock(bytes_of(x_));
    return dense_in<T>(x_on_host_.data(), x_);
}

template <class T>
DenseView<const T> CallersBlocks<T>::fetch_x() {
    const DenseView<T> view = host_x();
    if (x_place_ != MemoryPlace::host) stream_->copy(Copy::to_host, x_.as_const(), view);
    return view;
}

template <class T>
void CallersBlocks<T>::send_x() {
    if (x_place_ != MemoryPlace::host) stream_->copy(Copy::to_device, host_x().as_const(), x_);
}

template <class T>
void CallersBlocks<T>::copy_b_to_x() {
    if (x_place_ == MemoryPlace::host)
        copy_block<T>(host_b(), x_);
    else
        stream_->copy(b_place_ == MemoryPlace::host ? Copy::to_device : Copy::on_device, b_, x_);
}

#define FROND_INSTANTIATE(T) template class CallersBlocks<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
