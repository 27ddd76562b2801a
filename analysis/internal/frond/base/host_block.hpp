// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "frond/base/host_heap.hpp"

namespace frond {

/// Uninitialised host memory that owns itself, aligned to 64 bytes; from 256 KiB up from a HostHeap.
class HostBlock {
public:
    HostBlock() = default;
    /// heap: for large blocks; it must outlive this. @throws OutOfMemory with the number of bytes.
    explicit HostBlock(count_t bytes, HostHeap& heap = host_heap());
    HostBlock(HostBlock&& o) noexcept
        : data_(std::exchange(o.data_, nullptr)), bytes_(std::exchange(o.bytes_, 0)), heap_(o.heap_) {}
    HostBlock& operator=(HostBlock&& o) noexcept {
        if (this != &o) {
            release();
            data_ = std::exchange(o.data_, nullptr);
            bytes_ = std::exchange(o.bytes_, 0);
            heap_ = o.heap_;
        }
        return *this;
    }
    ~HostBlock() { release(); }

    /// A large block that nobody may use before be_ready(). @throws OutOfMemory
    static HostBlock unready(count_t bytes, HostHeap& heap,
                             count_t least_segment_bytes = HostHeap::smallest_segment_bytes) {
        HostBlock block;
        block.data_ = heap.allocate_unready(bytes, least_segment_bytes);
        block.bytes_ = bytes;
        block.heap_ = &heap;
        return block;
    }
    bool is_ready() const { return heap_->is_ready(data_); }
    /// See HostHeap::be_ready. @throws OutOfMemory with the number of bytes
    void be_ready(index_t threads);

    void* data() const noexcept { return data_; }
    count_t bytes() const noexcept { return bytes_; }
    void release() noexcept;

private:
    void* data_ = nullptr;
    count_t bytes_ = 0;
    HostHeap* heap_ = nullptr;
};

}  // namespace frond
