// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface, but for matrices in files (frond/matrix/matrix_file.hpp).
#pragma once

#include "frond/base/error.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/null_space.hpp"
#include "frond/option_table.hpp"
#include "frond/session.hpp"
#include "frond/solver.hpp"
#include "frond/tuning.hpp"
