// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/deferral.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"

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

}  // namespace frond
