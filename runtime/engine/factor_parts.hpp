// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "engine/data_handle.hpp"
#include "engine/pin_beside_tasks.hpp"
#include "frond/base/host_block.hpp"

namespace frond::detail {

/// Where a part of the factors, or a room for contribution blocks, is.
struct PartPlace {
    count_t bytes = 0;  // a multiple of 256
    unsigned node = 0;  // of StarPU
    bool on_host = false;  // in pinned memory, which tasks on devices read and write there
    std::vector<unsigned> also_on{};  // other nodes, where it is made or read, that have copies

    bool operator==(const PartPlace&) const = default;
};

/// Memory of the host is pinned at once, or by PinBesideTasks, before which nobody may use it.
enum class Pinning : bool { at_once, beside_tasks };

/// Large pieces of memory with a handle each, which tasks on devices write. Those on a device StarPU may put anywhere;
/// they stay where they were written while they are held. All memory is reserved before.
class FactorParts {
public:
    FactorParts() = default;
    /// pinned: must outlive this. @throws DeviceError where a node has no room, OutOfMemory where the host has none
    FactorParts(std::vector<PartPlace> places, HostHeap& pinned, Pinning pinning = Pinning::at_once);
    /// Part p is part from[p] of `others`, with what is there; those with -1 are new. The rest of `others`
    /// goes before.
    FactorParts(std::vector<PartPlace> places, const std::vector<index_t>& from, FactorParts others, HostHeap& pinned,
                Pinning pinning);
    FactorParts(FactorParts&& other) noexcept { swap(other); }
    FactorParts& operator=(FactorParts&& other) noexcept {
        FactorParts gone(std::move(other));
        swap(gone);
        return *this;
    }
    ~FactorParts();

    bool is_empty() const noexcept { return handles_.empty(); }
    const std::vector<PartPlace>& places() const noexcept { return places_; }
    const std::vector<DataHandle>& handles() const noexcept { return handles_; }
    /// The bytes on a device.
    count_t bytes_on(unsigned node) const noexcept;
    count_t bytes_on_devices() const noexcept;
    count_t bytes_on_host() const noexcept;
    /// What of that part must be pinned before it is used; without a handle: nothing.
    UnreadyPart unready(std::size_t part);
    /// The bytes of copies in the host's memory of what is on a device.
    static count_t bytes_beside(const std::vector<PartPlace>& places) noexcept {
        count_t bytes = 0;
        for (const PartPlace& place : places)
            for (const unsigned node : place.also_on) bytes += node == STARPU_MAIN_RAM ? place.bytes : 0;
        return bytes;
    }

    /// Which parts are on devices.
    std::vector<std::size_t> on_devices() const;
    /// Called while none is held: parts[of[k]] and stored's part k are exchanged. It may be done again.
    void exchange(const std::vector<std::size_t>& of, FactorParts& stored) noexcept;

    /// Holds the parts after the tasks that wrote them: they stay where they are, readable. @throws DeviceError
    void hold();
    /// Where each part begins, while they are held.
    const std::vector<unsigned char*>& begin() const noexcept { return begin_; }
    /// Lets go of them, before tasks write them anew, or so that StarPU may move them.
    void let_go() noexcept;
    /// The address of the data on that node.
    static unsigned char* address(starpu_data_handle_t handle, unsigned node) {
        return reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(starpu_data_get_interface_on_node(handle, node)));
    }

private:
    void add(const PartPlace& place, HostHeap& pinned, Pinning pinning);
    void add_empty();
    void swap_part(std::size_t part, FactorParts& other, std::size_t of) noexcept;
    void swap(FactorParts& other) noexcept;

    std::vector<PartPlace> places_;
    std::vector<HostBlock> on_host_;  // [parts] empty: on a device
    std::vector<DataHandle> handles_;
    std::vector<unsigned char*> begin_;  // of those held
};

}  // namespace frond::detail
