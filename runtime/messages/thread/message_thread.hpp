// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "ranks/message_library.hpp"
#include "ranks/wire.hpp"

namespace frond::detail {

/// Messages by a thread of Frond's own, which looks at the wire while other ranks may have something for this one, and
/// sleeps in between for times that grow; else it sleeps until a message is posted.
/// StarPU runs. An error of MPI ends all messages, and every later one at once (MessageLibrary::has_failed).
/// @throws RuntimeError  no thread can be had
std::unique_ptr<MessageLibrary> start_message_thread(std::unique_ptr<Wire> wire);

}  // namespace frond::detail
