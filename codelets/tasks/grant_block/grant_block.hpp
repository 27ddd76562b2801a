// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/deferral.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/memory_account.hpp"

namespace frond {

/// grant_block, on the rank that receives a block of run-time size, between the receive of its announcement and its own: R
/// announcement (a vector of its bytes), W block. The account is asked for the bytes that are announced. Where they do not
/// fit (Deferred) the task stays open, so that the receive behind it is not posted and the data stay with the sender.
/// Whoever takes the block apart gives the bytes back.
struct GrantBlockArguments : TaskArguments {
    cpu::MemoryAccount* account = nullptr;
};
starpu_codelet& grant_block_codelet();

}  // namespace frond
