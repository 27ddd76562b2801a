// SPDX-License-Identifier: BSD-3-Clause
// Where the kernels of a device find factors and contribution blocks: tables that are sent when addresses change, and
// the parts that StarPU gave to a task.
#include <algorithm>
#include <cstring>

#include "factor/device_tree.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

template <class T>
template <class Value>
void DeviceTree<T>::send(const Value* from, std::size_t bytes, Value* to) {
    if (bytes == 0) return;
    check(FROND_GPU(MemcpyAsync)(to, from, bytes, FROND_GPU(MemcpyHostToDevice), stream()), "sending where factors go");
}

/// Makes room for what differs from run to run; the recorded graph has its addresses.
template <class T>
void DeviceTree<T>::make_room(const StorePlan<T>& store) {
    const auto wanted = static_cast<count_t>(store.blocks.size()), pieces = static_cast<count_t>(store.pivots.size());
    if (host_blocks_ != nullptr && blocks_.bytes() == at(wanted) * sizeof(StoreBlock<T>) &&
        pivots_.bytes() == at(pieces) * sizeof(StorePivots<T>))
        return;
    forget_recorded();
    blocks_ = DeviceMemory<StoreBlock<T>>(place_.memory_node, wanted);
    pivots_ = DeviceMemory<StorePivots<T>>(place_.memory_node, pieces);
    host_blocks_ = std::make_unique<PinnedMemory<StoreBlock<T>>>(wanted);
    host_store_pivots_ = std::make_unique<PinnedMemory<StorePivots<T>>>(pieces);
}

/// What goes to the host takes long, and has a queue of its own.
template <class T>
void DeviceTree<T>::choose_queue(bool to_host) {
    if (to_host == store_queue_.has_value()) return;
    forget_recorded();
    store_queue_.reset();
    if (to_host) store_queue_.emplace();
}

/// Tables of blocks are relative to the parts, so that they serve all runs with the same layout.
template <class T>
void DeviceTree<T>::place(const TreeRun<T>& run) {
    if (places_ == run.places) return;
    const StorePlan<T> store(tables_, *run.places, run.is_on_host);
    if (store.levels != store_levels_ || store.strips != store_strips_) forget_recorded();
    choose_queue(store.has_blocks_to_host);
    make_room(store);
    store_levels_ = store.levels;
    store_strips_ = store.strips;
    pivots_begin_ = store.pivots_begin;
    std::copy(store.blocks.begin(), store.blocks.end(), host_blocks_->data());
    std::copy(store.pivots.begin(), store.pivots.end(), host_store_pivots_->data());
    send(host_blocks_->data(), blocks_.bytes(), blocks_.data());
    send(host_store_pivots_->data(), pivots_.bytes(), pivots_.data());
    places_ = run.places;
}

/// Part 0 begins at address 0. What the host has of the table changes when no copy of it is under way.
template <class T>
void DeviceTree<T>::make_table_of_parts(const TreeRun<T>& run) {
    const auto count = static_cast<count_t>(run.is_on_host.all().size());
    if (parts_.bytes() == at(count) * sizeof(unsigned char*)) return;
    forget_recorded();
    parts_ = DeviceMemory<unsigned char*>(place_.memory_node, count);
    host_parts_ = std::make_unique<PinnedMemory<unsigned char*>>(count);
    std::fill_n(host_parts_->data(), count, nullptr);
}

template <class T>
void DeviceTree<T>::send_parts(const std::vector<PlacedPart>& parts) {
    for (const PlacedPart& part : parts) host_parts_->data()[static_cast<index_t>(part.number)] = part.begin;
    send(host_parts_->data(), parts_.bytes(), parts_.data());
}

template <class T>
void DeviceTree<T>::place_kept(const PieceRun<T>& piece) {
    for (const KeptBytes& kept : piece.kept)
        for (const PlacedPart& part : piece.parts) {
            if (part.number != kept.to) continue;
            if (piece.run->is_on_host[kept.to] != 0)
                std::memcpy(part.begin + kept.first, kept.from, at(kept.bytes));
            else
                send(kept.from, at(kept.bytes), part.begin + kept.first);
        }
}

#define FROND_INSTANTIATE(T)                                                 \
    template void DeviceTree<T>::place(const TreeRun<T>&);                   \
    template void DeviceTree<T>::make_table_of_parts(const TreeRun<T>&);     \
    template void DeviceTree<T>::send_parts(const std::vector<PlacedPart>&); \
    template void DeviceTree<T>::place_kept(const PieceRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
