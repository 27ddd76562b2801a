// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

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

    /// Once the data are acquired: where they lie; packed data that come in have no place before their size is known.
    ByteColumns place;
    bool is_packed = false;
    void* packed = nullptr;  // memory of StarPU, of place.size() bytes
};

/// Whether data of this kind can be sent: vectors, matrices, nothing, and what has operations to pack it.
bool can_travel(starpu_data_handle_t data) noexcept;

/// Finds the place of data that are acquired, and packs those that go out. @throws OutOfMemory
void find_place(PostedMessage& message);
/// Memory for packed data of this size that come in. @throws OutOfMemory
void make_place(PostedMessage& message, count_t bytes);

/// Of static data that come in: the columns that so many bytes fill; of packed data all.
/// @throws RuntimeError  they do not fit, or fill no whole columns
ByteColumns part_of(const ByteColumns& place, count_t bytes);

/// What has come for it, from elsewhere or in its own packed memory. The data note what they think of it (MessageLog).
/// @throws RuntimeError  static data that do not fit
void read(PostedMessage& message, const std::byte* from, count_t bytes);
/// Copies what goes out.
void write(const PostedMessage& message, std::byte* to);

/// Gives the data back to StarPU, frees what was packed, tells its end, and deletes the message.
void end(PostedMessage* message) noexcept;

}  // namespace frond::detail
