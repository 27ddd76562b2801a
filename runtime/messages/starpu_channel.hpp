// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "messages/channel.hpp"
#include "ranks/message_library.hpp"

namespace frond::detail {

/// Messages by a library that has been started and is stopped with the channel, if StarPU still runs then and nothing is
/// pending; else it stays as it is.
std::unique_ptr<Channel> make_starpu_channel(std::unique_ptr<MessageLibrary> library);

}  // namespace frond::detail
