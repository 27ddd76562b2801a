// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "event.hpp"
#include "frond/base/parallel_for.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Copies between pageable memory of the host and a device. Each piece crosses the link from, or to, pinned memory, while
/// cores copy the next one: the vendor's copies of pageable memory use one core, which is a fifth of the link's rate.
/// Not for two threads at a time. @throws DeviceError
class StagedCopies {
public:
    /// Bytes [begin, begin + bytes) of what is copied, and their place in pinned memory.
    using CopyPart = std::function<void(count_t begin, count_t bytes, unsigned char* pinned)>;

    /// All pinned memory at once; else what is copied first asks for it.
    void reserve();
    /// device[0 .. bytes) := what read() puts into pinned memory, part by part. The last pieces may still be under way
    /// on the stream when this returns; read() is not called any more.
    void send(Stream stream, void* device, count_t bytes, const ParallelFor& parallel_for, const CopyPart& read);
    /// write() gets device[0 .. bytes), part by part, as the stream has it. Returns when all is written.
    void fetch(Stream stream, const void* device, count_t bytes, const ParallelFor& parallel_for,
               const CopyPart& write);

private:
    /// A little is copied sooner by one thread than by tasks of cores, which come and go in some 30 us.
    static constexpr count_t piece_bytes = count_t{1} << 22, part_bytes = count_t{1} << 18,
                             little_bytes = 2 * part_bytes;
    static constexpr std::size_t slots = 4;

    /// Room for one piece, and when its last copy has ended.
    struct Slot {
        std::unique_ptr<PinnedMemory<unsigned char>> memory;
        Event copied;
        bool is_used = false;
    };
    Slot& slot(count_t piece);
    static void wait_for(Slot& slot);
    static void copy_piece(count_t begin, count_t bytes, unsigned char* pinned, const ParallelFor& parallel_for,
                           const CopyPart& copy);

    std::array<std::unique_ptr<Slot>, slots> slots_;
};

}  // namespace frond::gpu
