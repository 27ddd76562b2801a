// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/solve_piece/solve_piece.hpp"

namespace frond {

/// Arguments and buffers as of solve_piece.
template <class T>
starpu_codelet& prepare_solve_codelet();

}  // namespace frond
