// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/posted_message.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "frond/base/error.hpp"

namespace frond::detail {
namespace {

template <class Interface>
const Interface& interface_on(int node, starpu_data_handle_t data) {
    return *static_cast<const Interface*>(starpu_data_get_interface_on_node(data, static_cast<unsigned>(node)));
}

ByteColumns vector_place(starpu_data_handle_t data) {
    const auto& vector = interface_on<starpu_vector_interface>(STARPU_MAIN_RAM, data);
    return {reinterpret_cast<std::byte*>(vector.ptr), static_cast<count_t>(vector.nx * vector.elemsize)};
}

ByteColumns matrix_place(int node, starpu_data_handle_t data) {
    const auto& matrix = interface_on<starpu_matrix_interface>(node, data);
    return {reinterpret_cast<std::byte*>(matrix.ptr), static_cast<count_t>(matrix.nx * matrix.elemsize),
            static_cast<count_t>(matrix.ny), static_cast<count_t>(matrix.ld * matrix.elemsize)};
}

void find_matrix(PostedMessage& message) {
    const bool comes_to_device = message.is_on_device && message.way == PostedMessage::Way::in;
    message.place = matrix_place(comes_to_device ? STARPU_MAIN_RAM : message.node, message.data);
    if (comes_to_device) message.device_place = matrix_place(message.node, message.data);
}

/// Packs the data into memory that StarPU gives and takes back.
void pack(PostedMessage& message) {
    starpu_ssize_t bytes = 0;
    if (starpu_data_pack_node(message.data, STARPU_MAIN_RAM, &message.packed, &bytes) != 0)
        throw OutOfMemory("no memory to pack a message", static_cast<count_t>(bytes));
    message.place = {static_cast<std::byte*>(message.packed), static_cast<count_t>(bytes)};
}

void free_packed(PostedMessage& message) noexcept {
    if (message.packed == nullptr) return;
    starpu_free_on_node_flags(STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(std::exchange(message.packed, nullptr)),
                              static_cast<size_t>(message.place.size()), 0);
}

void expect_room(const ByteColumns& place, count_t bytes) {
    if (bytes > place.size())
        throw RuntimeError("a message of " + std::to_string(bytes) + " bytes has come for data of " +
                           std::to_string(place.size()));
}

/// copy(of the place, of the message, bytes) for the columns that `bytes` bytes fill.
template <class Copy>
void for_each_column(const ByteColumns& place, count_t bytes, Copy copy) {
    for (count_t at = 0; at < bytes; at += place.bytes)
        copy(place.first + at / place.bytes * place.stride, at,
             static_cast<std::size_t>(std::min(place.bytes, bytes - at)));
}

}  // namespace

bool can_travel(starpu_data_handle_t data) noexcept {
    const starpu_data_interface_ops* const operations = starpu_data_get_interface_ops(data);
    const int id = operations->interfaceid;
    return id == STARPU_VECTOR_INTERFACE_ID || id == STARPU_MATRIX_INTERFACE_ID || id == STARPU_VOID_INTERFACE_ID ||
           (operations->pack_data != nullptr && operations->peek_data != nullptr);
}

bool has_place_on_host(starpu_data_handle_t data) noexcept {
    return starpu_data_get_interface_id(data) == STARPU_MATRIX_INTERFACE_ID &&
           interface_on<starpu_matrix_interface>(STARPU_MAIN_RAM, data).ptr != 0;
}

void find_place(PostedMessage& message) {
    if (message.is_refused)
        throw RuntimeError("StarPU does not bring the data of a message to where they are sent from");
    if (message.node == STARPU_ACQUIRE_NO_NODE) return;
    switch (static_cast<int>(starpu_data_get_interface_id(message.data))) {
        case STARPU_VECTOR_INTERFACE_ID:
            message.place = vector_place(message.data);
            return;
        case STARPU_MATRIX_INTERFACE_ID:
            return find_matrix(message);
        case STARPU_VOID_INTERFACE_ID:
            return;
        default:
            message.is_packed = true;
            if (message.way == PostedMessage::Way::out) pack(message);
    }
}

void make_place(PostedMessage& message, count_t bytes) {
    const auto address = starpu_malloc_on_node_flags(STARPU_MAIN_RAM, static_cast<size_t>(bytes), 0);
    if (address == 0) throw OutOfMemory("no memory for a message that comes", bytes);
    message.packed = reinterpret_cast<void*>(address);
    message.place = {static_cast<std::byte*>(message.packed), bytes};
}

ByteColumns part_of(const ByteColumns& place, count_t bytes) {
    expect_room(place, bytes);
    if (bytes == place.size()) return place;
    if (place.columns == 1 || bytes <= place.bytes) return {place.first, bytes};
    if (bytes % place.bytes != 0)
        throw RuntimeError("a message of " + std::to_string(bytes) + " bytes has come for columns of " +
                           std::to_string(place.bytes));
    return {place.first, place.bytes, bytes / place.bytes, place.stride};
}

void read(PostedMessage& message, const std::byte* from, count_t bytes) {
    if (message.is_packed) {  // what the status says, the data have noted
        static_cast<void>(starpu_data_peek_node(message.data, STARPU_MAIN_RAM, const_cast<std::byte*>(from),
                                                static_cast<size_t>(bytes)));
        return;
    }
    expect_room(message.place, bytes);
    for_each_column(message.place, bytes,
                    [&](std::byte* to, count_t at, std::size_t count) { std::memcpy(to, from + at, count); });
}

void write(const PostedMessage& message, std::byte* to) {
    for_each_column(message.place, message.place.size(),
                    [&](const std::byte* from, count_t at, std::size_t count) { std::memcpy(to + at, from, count); });
}

void leave_node(PostedMessage& message) noexcept {
    starpu_data_release_on_node(message.data, message.node);
    message.node = STARPU_ACQUIRE_NO_NODE;
    message.is_on_device = false;
}

void end(PostedMessage* message) noexcept {
    free_packed(*message);
    if (message->waiting_bytes != nullptr)
        message->waiting_bytes->fetch_sub(message->counted_bytes, std::memory_order_relaxed);
    if (message->is_held_twice && message->node != STARPU_ACQUIRE_NO_NODE) leave_node(*message);
    starpu_data_release_on_node(message->data, message->node);
    void (*const done)(void*) = message->done;
    void* const argument = message->argument;
    delete message;
    done(argument);
}

}  // namespace frond::detail
