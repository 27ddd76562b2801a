// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/device_places.hpp"

#include "frond/gpu/devices.hpp"
#include "engine/valid_copy.hpp"

namespace frond::detail {
namespace {

/// Below that the notes take longer than the data.
constexpr std::size_t least_bytes = std::size_t{64} << 10;

count_t size_of(starpu_data_handle_t data) { return static_cast<count_t>(starpu_data_get_size(data)); }

}  // namespace

DevicePlaces::DevicePlaces() {
    for (const gpu::Device& device : gpu::devices()) places_.emplace_back().node = device.memory_node;
}

bool DevicePlaces::can_have(starpu_data_handle_t data, PostedMessage::Way way) const noexcept {
    if (places_.empty() || starpu_data_get_interface_id(data) != STARPU_MATRIX_INTERFACE_ID ||
        starpu_data_get_size(data) < least_bytes)
        return false;
    return way == PostedMessage::Way::out || has_place_on_host(data);
}

void DevicePlaces::choose_source(PostedMessage& message, bool can_be_read) const noexcept {
    message.node = STARPU_MAIN_RAM;
    message.is_on_device = false;
    for (const Place& place : places_) {
        if (!can_be_read || !has_valid_copy(message.data, place.node)) continue;
        message.node = static_cast<int>(place.node);
        message.is_on_device = true;
        return;
    }
}

/// An emulated device has the host's memory, of which StarPU knows no limit.
bool DevicePlaces::has_room(const Place& place, count_t bytes) noexcept {
    const auto free = static_cast<count_t>(starpu_memory_get_available(place.node));
    return free < 0 || 2 * (place.waiting_bytes.load(std::memory_order_relaxed) + bytes) <= free;
}

void DevicePlaces::choose_destination(PostedMessage& message) noexcept {
    Place& place = places_[turn_.fetch_add(1, std::memory_order_relaxed) % places_.size()];
    const count_t bytes = size_of(message.data);
    if (!has_room(place, bytes)) return;
    place.waiting_bytes.fetch_add(bytes, std::memory_order_relaxed);
    message.waiting_bytes = &place.waiting_bytes;
    message.counted_bytes = bytes;
    message.node = static_cast<int>(place.node);
    message.is_on_device = true;
}

}  // namespace frond::detail
