// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/deferral.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/memory_account.hpp"

namespace frond {

/// announce_block, on the rank that sends a block of run-time size: R block (DelayedColumns), W announcement (a vector of
/// its bytes). A block whose message would be larger than cpu::most_packed_bytes ends the job with an error that names the
/// front; the message itself is empty then.
struct AnnounceBlockArguments : TaskArguments {
    index_t front = 0;  // that the block comes from
};
template <class T>
starpu_codelet& announce_block_codelet();

/// @throws RuntimeError
void expect_sendable(count_t packed_bytes, index_t front);

/// grant_block, on the rank that receives a block of run-time size, between the receive of its announcement and its own: R
/// announcement (a vector of its bytes), W block. The account is asked for the bytes that are announced. Where they do not
/// fit (Deferred) the task stays open, so that the receive behind it is not posted and the data stay with the sender.
/// Whoever takes the block apart gives the bytes back.
struct GrantBlockArguments : TaskArguments {
    cpu::MemoryAccount* account = nullptr;
};
starpu_codelet& grant_block_codelet();

/// open_block: R block, W tiles of it, which are data of their own in the same memory of the host: tasks and messages that
/// read the tiles come after those that wrote the block. Nothing is computed or copied. Only cores run it.
struct OpenBlockArguments : TaskArguments {};
starpu_codelet& open_block_codelet();

}  // namespace frond
