// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_columns.hpp"

namespace frond {

/// gather_failed (threshold pivoting), the first task of a front: W failed columns of the front, W its start (no
/// data: what else begins the front reads it), RW delayed columns of each child that is a unit, in the tree's order.
struct GatherFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    const AssemblyTree* tree = nullptr;
    index_t front = 0;
    LateMemory* memory = nullptr;  // of the front's tiles
};
template <class T>
starpu_codelet& gather_failed_codelet();

}  // namespace frond
