// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/codelets/recorded_pivots.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_columns.hpp"

namespace frond {

/// accept_pivots (threshold pivoting): RW diagonal tile, RW pivot record, RW failed columns of the front, then for each
/// tile row after it: RW tile of L, RW tile of the panel backup, and, LU, RW tile of U. See cpu::accept_pivots.
template <class T>
struct AcceptPivotsArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    PivotRule rule;
    const TileGrid* grid = nullptr;
    index_t panel = 0;
    index_t first_position = 0;
    index_t most_failed = -1;  // columns; more end the job with ManyFailedColumns. -1: any number
};
template <class T>
starpu_codelet& accept_pivots_codelet();

/// Operations (of a real scalar) of accept_pivots beyond those of the panel's own tasks.
double accept_flops(Factorization kind, const TileGrid& grid, index_t panel, const RecordedPanel& found);

/// The body of the task on the calling core; panel in host memory.
template <class T>
void accept_pivots_on_host(AcceptPivotsArguments<T>& a, cpu::FactoredPanel<T>& panel, cpu::FailedColumns<T>& failed,
                           PivotOutcome& outcome);

namespace gpu {
template <class T>
void accept_pivots(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
