// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"

#include <vector>

namespace frond {

/// gather_children: RW own segments..., W contribution segments..., R children's buffers...
/// contribution segments are zeroed, then every child is added in order.
struct GatherArguments : TaskArguments {
    index_t own_segments = 0;
    index_t segments = 0;
    const std::vector<ChildLink>* links = nullptr;  // one a child
};
template <class T>
starpu_codelet& gather_children_codelet();

/// scatter_to_child: W child's contribution segments..., R parent's segments...
struct ScatterArguments : TaskArguments {
    const ChildLink* link = nullptr;
};
template <class T>
starpu_codelet& scatter_to_child_codelet();

}  // namespace frond
