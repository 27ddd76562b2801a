// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <atomic>
#include <cstdint>

#include "ranks/wire.hpp"

namespace frond::detail {

/// A send or a receive from its call to its end.
struct PostedMessage {
    enum class Way : bool { out, in };

    starpu_data_handle_t data = nullptr;
    Way way = Way::out;
    index_t rank = 0;  // the other one
    std::int64_t tag = 0;
    int priority = 0;
    void (*done)(void*) = nullptr;
    void* argument = nullptr;
    void* poster = nullptr;  // who posts it when the data are acquired
    PostedMessage* next = nullptr;  // in the list of those that are

    /// Where the data are acquired: the host's memory, or that of a device, from which another process may copy, or to
    /// which copies go; an emulated device has the host's. STARPU_ACQUIRE_NO_NODE: nowhere as yet, so that nothing keeps
    /// StarPU from moving them; what goes out is acquired on a node as well when the receiver asks for it (is_asked_for).
    int node = STARPU_MAIN_RAM;
    bool is_on_device = false;
    bool is_held_twice = false;
    bool is_asked_for = false;
    bool is_refused = false;  // StarPU does not bring the data to the node
    std::atomic<count_t>* waiting_bytes = nullptr;  // of the device, where this message counts, with counted_bytes
    count_t counted_bytes = 0;

    /// Where the data lie, once they are acquired; packed data that come in have no memory before their size is there.
    /// What comes to a device is in the host's memory first, and goes on to device_place.
    ByteColumns place, device_place;
    bool is_packed = false;
    void* packed = nullptr;  // memory of StarPU, of place.size() bytes
};

/// Whether data of this kind can be sent: vectors, matrices, nothing, and what has operations to pack it.
bool can_travel(starpu_data_handle_t data) noexcept;

/// Whether it is a matrix whose host memory is there, whoever has the data.
bool has_place_on_host(starpu_data_handle_t data) noexcept;
/// Finds the addresses of data that are acquired, and packs those that go out. @throws OutOfMemory, RuntimeError
void find_place(PostedMessage& message);
/// Memory for packed data of this size that come in. @throws OutOfMemory
void make_place(PostedMessage& message, count_t bytes);

/// The columns that so many bytes of static data fill; all of packed data.
/// @throws RuntimeError  they do not fit, or fill no whole columns
ByteColumns part_of(const ByteColumns& place, count_t bytes);

/// What has come for it, from elsewhere or in its own packed memory. The data note what they think of it (MessageLog).
/// @throws RuntimeError  static data that do not fit
void read(PostedMessage& message, const std::byte* from, count_t bytes);
/// Copies what goes out.
void write(const PostedMessage& message, std::byte* to);

/// Gives the data back to StarPU on the node of the message, and leaves them to be acquired on another one.
void leave_node(PostedMessage& message) noexcept;

/// Gives the data back to StarPU, frees what was packed, tells its end, and deletes the message.
void end(PostedMessage* message) noexcept;

}  // namespace frond::detail
