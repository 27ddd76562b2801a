// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <deque>

#include "messages/thread/posted_message.hpp"

namespace frond::detail {

/// Which messages take place in memory of this rank's devices, between which processes of one machine can copy.
class DevicePlaces {
public:
    /// For the devices of the session that runs.
    DevicePlaces();

    bool is_empty() const noexcept { return places_.empty(); }
    /// Whether a message can: a large tile, which tasks on devices use.
    bool can_have(starpu_data_handle_t data, PostedMessage::Way way) const noexcept;
    /// The node of what goes out: the device that has it, where the receiver can read that (can_be_read); else the
    /// host.
    void choose_source(PostedMessage& message, bool can_be_read) const noexcept;
    /// Chooses a device for what will come, before it is acquired: by turns, while messages that wait for their data
    /// there leave as much free as they take.
    void choose_destination(PostedMessage& message) noexcept;

private:
    struct Place {
        unsigned node = STARPU_MAIN_RAM;
        std::atomic<count_t> waiting_bytes{0};
    };

    static bool has_room(const Place& place, count_t bytes) noexcept;

    std::deque<Place> places_;
    std::atomic<std::size_t> turn_{0};
};

}  // namespace frond::detail
