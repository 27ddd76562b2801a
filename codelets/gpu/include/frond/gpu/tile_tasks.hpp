// SPDX-License-Identifier: BSD-3-Clause
// The tasks of frond/codelets/factor_tasks.hpp on a device: same arguments, same buffers, device
// memory behind them. They return when the work is done; update_tile when it is on the worker's stream.
#pragma once

namespace frond::gpu {

template <class T>
void assemble_tile(void* buffers[], void* arguments) noexcept;
template <class T>
void factor_diagonal(void* buffers[], void* arguments) noexcept;
template <class T>
void solve_panel(void* buffers[], void* arguments) noexcept;
template <class T>
void accept_pivots(void* buffers[], void* arguments) noexcept;
template <class T>
void factor_subtree(void* buffers[], void* arguments) noexcept;
template <class T>
void update_tile(void* buffers[], void* arguments) noexcept;

template <class T>
void factor_piece(void* buffers[], void* arguments) noexcept;
void bring_piece(void* buffers[], void* arguments) noexcept;

/// prepare_solve and solve_piece of frond/codelets/solve_tasks.hpp, for all scalars.
void solve_on_worker(void* buffers[], void* arguments) noexcept;

}  // namespace frond::gpu
