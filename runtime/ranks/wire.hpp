// SPDX-License-Identifier: BSD-3-Clause
// Bytes between ranks without a wait, as libfrond sees them. MPI is behind it, in libfrond_mpi.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/base/byte_columns.hpp"

namespace frond::detail {

/// Two kinds of messages: notes, which are short and which a rank takes as they come, and bodies, which go where the rank
/// that receives them has said. Those of one kind from one rank to another keep their order.
/// Every function may throw RuntimeError where MPI reports an error, and std::bad_alloc.
/// @par Thread safety  one thread at a time.
class Wire {
public:
    /// With what MPI puts before it, it is sent by Open MPI without being asked for, between the processes of one machine
    /// as well, where the limit is 4 KiB.
    static constexpr count_t longest_note = 4000;

    Wire() = default;
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    virtual ~Wire() = default;

    virtual index_t rank() const noexcept = 0;
    virtual index_t ranks() const noexcept = 0;

    virtual void send_note(index_t rank, std::vector<std::byte> note) = 0;
    /// The next note that has come, until the next call, aligned as any object; false: none is there.
    virtual bool take_note(index_t& source, std::span<const std::byte>& note) = 0;

    /// The memory must stay until the name is among those that have ended.
    virtual void send_body(index_t rank, const ByteColumns& body, void* name) = 0;
    virtual void receive_body(index_t rank, const ByteColumns& body, void* name) = 0;
    /// Appends the names of bodies that have ended since the last call.
    virtual void take_ended(std::vector<void*>& names) = 0;
    /// Whether notes or bodies of this rank are under way.
    virtual bool is_busy() const noexcept = 0;

    /// Something has gone wrong here: other ranks throw as well, instead of waiting for this one. What is under way here
    /// gets a little time to end.
    virtual void give_up(const char* why) noexcept = 0;
    /// Nothing may be under way on any rank, unless one has given up. Collective; without this call MPI keeps what belongs
    /// to the wire.
    virtual void close() noexcept = 0;
};

}  // namespace frond::detail
