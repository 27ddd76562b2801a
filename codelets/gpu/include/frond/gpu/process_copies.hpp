// SPDX-License-Identifier: BSD-3-Clause
// Copies from the memory of devices of other processes of the same machine, which need not pass the host.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "frond/base/byte_columns.hpp"

namespace frond::gpu {

/// Columns of bytes in the memory of a device of one process, as another one finds them. It travels between processes.
struct OfferedColumns {
    std::uint64_t machine = 0;  // of the process, and the space in which processes have their numbers
    std::uint64_t allocation = 0;  // a number that no other allocation of the process had or will have
    std::array<std::byte, 64> exported{};  // the allocation, as the vendor's runtime names it
    count_t offset = 0, bytes = 0, columns = 0, stride = 0;
};

/// Up to 64 allocations of other processes stay open from their first copy to close(), so that later copies begin at once. A process that frees memory while another has it open gets the room back when that closes it.
/// Errors of the vendor's runtime are thrown as DeviceError, but for those of offer() and read(), which are refused then.
/// @par Thread safety  one thread at a time.
class ProcessCopies {
public:
    /// For the devices of the session that runs.
    ProcessCopies();
    ProcessCopies(const ProcessCopies&) = delete;
    ProcessCopies& operator=(const ProcessCopies&) = delete;
    /// Waits for copies that are under way, and closes.
    ~ProcessCopies();

    /// For a thread that has no device of its own: the first of these is its current one from now on.
    void begin_thread() noexcept;

    /// Whether columns on a device can be offered to other processes.
    bool offer(const ByteColumns& columns, unsigned memory_node, OfferedColumns& offered) noexcept;
    /// not_now: for want of memory; never: from that process. Nothing is then under way.
    enum class Read : std::uint8_t { begun, not_now, never };
    /// Begins to copy what `process` (any number of the caller's) has offered. `to`: in memory of a node of StarPU (where
    /// that of the host is not pinned, this waits for the copy); of the same shape, or one piece.
    Read read(index_t process, const OfferedColumns& from, const ByteColumns& to, unsigned memory_node, void* name);
    /// Begins to copy from pinned memory of the host to a device.
    void upload(const ByteColumns& from, const ByteColumns& to, unsigned memory_node, void* name);
    /// Appends the names of copies that have ended since the last call.
    void take_ended(std::vector<void*>& names);
    /// Ends what is under way, and lets go of other processes' memory.
    void close() noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace frond::gpu
