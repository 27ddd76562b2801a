// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/record_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/codelets/workspace_pool.hpp"

namespace frond {

/// factor_diagonal: RW tile, W pivot record (LL^T: its outcome alone), W inverses (`with_inverses`, devices only:
/// of the blocks of the tile's lower triangle, LU: then of the upper one's, see gpu/kernels/substitution/invert_blocks.hpp)
struct FactorDiagonalArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    /// Pairs of the matching: 1 when columns k and k + 1 of the tile are one; null: none.
    const std::uint8_t* pair_with_next = nullptr;
    WorkspacePool* workspaces = nullptr;
    bool with_inverses = false;  // the outcome says whether they are small enough to multiply with
    /// L U on a device: pivots are searched for in all rows of the tile, as on a core, in place of blocks of 32 rows.
    bool searches_tile = false;
};
template <class T>
starpu_codelet& factor_diagonal_codelet();

/// The body of the task on the calling core; tile and record (null: L L^T) in host memory. outcome: of the record, which
/// has begun.
template <class T>
void factor_diagonal_on_host(const FactorDiagonalArguments& a, DenseView<T> tile, unsigned char* record_bytes,
                             PivotOutcome& outcome);

namespace gpu {
template <class T>
void factor_diagonal(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
