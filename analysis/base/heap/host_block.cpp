// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/host_block.hpp"

#include <new>

#include "system_pages.hpp"

namespace frond {
namespace {

constexpr std::align_val_t small_alignment{64};

/// Small blocks are the allocator's, unless the heap's memory is special.
bool from_heap(count_t bytes, const HostHeap& heap) { return &heap != &host_heap() || bytes >= count_t{32} << 10; }

}  // namespace

HostBlock::HostBlock(count_t bytes, HostHeap& heap) : bytes_(bytes), heap_(&heap) {
    if (bytes <= 0) {
        bytes_ = 0;
        return;
    }
    data_ = from_heap(bytes, heap) ? heap.allocate(bytes)
                                   : ::operator new(static_cast<std::size_t>(bytes), small_alignment, std::nothrow);
    if (data_ == nullptr) detail::refuse_memory(bytes);
}

void HostBlock::be_ready(index_t threads) {
    if (!heap_->be_ready(data_, threads)) detail::refuse_memory(bytes_);
}

void HostBlock::release() noexcept {
    if (data_ == nullptr) return;
    if (from_heap(bytes_, *heap_))
        heap_->release(data_, bytes_);
    else
        ::operator delete(data_, small_alignment);
    data_ = nullptr;
    bytes_ = 0;
}

}  // namespace frond
