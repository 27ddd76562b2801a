// SPDX-License-Identifier: BSD-3-Clause
#include "messages/thread/acquire_message.hpp"

#include <cerrno>
#include <new>

namespace frond::detail {

int acquire_message(const PostedMessage& message, MessagePlace place, DevicePlaces& places,
                    Acquired acquired) noexcept {
    if (!can_travel(message.data)) return -EINVAL;
    auto* const kept = new (std::nothrow) PostedMessage(message);
    if (kept == nullptr) return -ENOMEM;
    const bool goes_out = message.way == PostedMessage::Way::out;
    if (place == MessagePlace::device && places.can_have(message.data, message.way)) {
        kept->is_held_twice = goes_out;
        if (goes_out)
            kept->node = STARPU_ACQUIRE_NO_NODE;
        else
            places.choose_destination(*kept);
    }
    const int status =
        starpu_data_acquire_on_node_cb_sequential_consistency(message.data, kept->node, goes_out ? STARPU_R : STARPU_W,
                                                              acquired, kept, 1);
    if (status != 0) {
        if (kept->waiting_bytes != nullptr) kept->waiting_bytes->fetch_sub(kept->counted_bytes);
        delete kept;
    }
    return status;
}

void acquire_on_node(PostedMessage* message, Acquired acquired) noexcept {
    constexpr int in_no_order = 0;
    const int status = starpu_data_acquire_on_node_cb_sequential_consistency(message->data, message->node, STARPU_R,
                                                                             acquired, message, in_no_order);
    if (status == 0) return;
    message->node = STARPU_ACQUIRE_NO_NODE;
    message->is_refused = true;
    acquired(message);
}

}  // namespace frond::detail
