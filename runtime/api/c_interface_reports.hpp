// SPDX-License-Identifier: BSD-3-Clause
// What frond.h reports, from the same of C++. Internal.
#pragma once

#include "frond/frond.h"
#include "frond/session.hpp"
#include "frond/solver.hpp"

namespace frond::c_interface {

/// struct_bytes is 0.
frond_factor_report factor_report_of(const FactorReport& from);
frond_solve_report solve_report_of(const SolveReport& from);
frond_session_info session_info_of(const SessionInfo& from);

}  // namespace frond::c_interface
