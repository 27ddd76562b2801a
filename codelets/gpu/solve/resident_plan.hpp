// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/gpu/resident_solve.hpp"
#include "solve/solve_steps.hpp"
#include "solve/vector_layout.hpp"

namespace frond::gpu {

struct ResidentPlan {
    VectorLayout layout;
    SolveSteps steps;
    RowTables rows;
};

}  // namespace frond::gpu
