// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/codelets/workspace_pool.hpp"

namespace frond {

/// solve_panel, lower: R diagonal tile, R pivot record (not LL^T), RW tile, W tile of L D (LDL^T) or of
/// the tile as it was (LU with threshold pivoting)
/// solve_panel, upper (LU): R diagonal tile, R pivot record, RW tile
/// Both `with_inverses` (devices only): then R inverses of factor_diagonal, LL^T: R their outcome.
struct SolvePanelArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    bool upper = false;
    /// Threshold pivoting: the first column of the tile with an entry above it limits the record's outcome. 0: none.
    double bound = 0;
    WorkspacePool* workspaces = nullptr;
    bool with_inverses = false;
};
template <class T>
starpu_codelet& solve_panel_codelet();

namespace gpu {
template <class T>
void solve_panel(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
