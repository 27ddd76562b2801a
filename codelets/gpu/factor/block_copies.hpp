// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <vector>

#include "factor/saved_blocks.hpp"
#include "frond/base/host_block.hpp"
#include "frond/gpu/tree_run.hpp"
#include "kernels/dense/eliminate.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Contribution blocks between pieces of a device that go to the host's memory before others take their rooms: those of
/// pieces that need not be factored again, for pieces that will be since a pivot has failed. Before that is known, blocks
/// are lost; where there is no room for them, too.
class BlockCopies {
public:
    /// Begins a run. heap: of pinned memory, for all such blocks; most_bytes of it.
    void begin(count_t most_bytes, HostHeap* heap);
    /// Before a piece writes: needed blocks that lie in its rooms go to the host. Puts copies on the stream. answers:
    /// [pieces] of those that are done.
    template <class T>
    void before(const SavedBlocks& saved, const PieceRun<T>& piece, std::span<const EliminateAnswer> answers,
                Stream stream);

    /// Null: the front's block is not there.
    const unsigned char* of(index_t front) const {
        for (const Copy& one : copies_)
            if (one.front == front) return static_cast<const unsigned char*>(one.block.data());
        return nullptr;
    }

private:
    struct Copy {
        index_t front;
        HostBlock block;
    };

    void put(index_t front, const unsigned char* block, count_t bytes, bool on_host, Stream stream);

    std::map<index_t, index_t> front_in_room_;
    std::vector<Copy> copies_;  // not a map, whose nodes of a HostBlock make the compiler of HIP 5.2 end in a fault
    count_t left_bytes_ = 0;
    HostHeap* heap_ = nullptr;
};

}  // namespace frond::gpu
