// SPDX-License-Identifier: BSD-3-Clause
// Everything a C++ program needs.
#pragma once

#include "frond/base/error.hpp"
#include "frond/condition.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/null_space.hpp"
#include "frond/session.hpp"
#include "frond/solver.hpp"
