// SPDX-License-Identifier: BSD-3-Clause
// Failed columns of a shared front, after the pivots of a panel are accepted.
#pragma once

#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/failed_parts.hpp"

namespace frond {

/// update_failed, on the rank of diagonal tile (t, t): R accepted panel, RW part, R L(t, panel), R L D of it or U(panel, t), R
/// FailedParts with what is given back of L(t, panel); LU, where another rank gives back U(panel, t): R those. See
/// cpu::update_failed_part.
struct UpdateFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    index_t tile = 0;
    index_t begin = 0;  // its first row
    bool is_own = false;
    bool rows_apart = false;  // there are parts of U
    cpu::MemoryAccount* account = nullptr;
};
template <class T>
starpu_codelet& update_failed_codelet();

/// keep_failed, on the rank that leads: R accepted panel, RW failed columns. See cpu::keep_failed.
struct KeepFailedArguments : TaskArguments {
    Factorization kind = Factorization::lu;
    index_t first_column = 0, first_position = 0;  // of the panel
};
template <class T>
starpu_codelet& keep_failed_codelet();

}  // namespace frond
