// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/solve_stage.hpp"
#include "frond/codelets/task.hpp"

namespace frond {

/// scatter_to_child: W child's contribution segments..., R parent's segments...
struct ScatterArguments : TaskArguments {
    const ChildLink* link = nullptr;
};
template <class T>
starpu_codelet& scatter_to_child_codelet();

}  // namespace frond
