// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

namespace frond {

/// open_block: R block, W tiles of it, which are data of their own in the same memory of the host: tasks and messages that
/// read the tiles come after those that wrote the block. Nothing is computed or copied. Only cores run it.
struct OpenBlockArguments : TaskArguments {};
starpu_codelet& open_block_codelet();

}  // namespace frond
