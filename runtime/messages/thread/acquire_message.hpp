// SPDX-License-Identifier: BSD-3-Clause
// How the data of a message are acquired: then it can move.
#pragma once

#include "messages/thread/device_places.hpp"
#include "ranks/message_library.hpp"

namespace frond::detail {

/// Called with the message when its data are acquired, on the thread that has ended the last task before it, or that posts.
using Acquired = void (*)(void* message);

/// Once the tasks before it have ended. What goes out may lie on a device, which is found out when it is asked for.
/// Returns 0, or why nothing was posted: -EINVAL, -ENOMEM or what StarPU says.
int acquire_message(const PostedMessage& message, MessagePlace place, DevicePlaces& places, Acquired acquired) noexcept;

/// Beside the acquisition that the message has: no writer comes in between, and both end with the message, on the thread
/// that moves messages. It may be over when this returns.
void acquire_on_node(PostedMessage* message, Acquired acquired) noexcept;

}  // namespace frond::detail
