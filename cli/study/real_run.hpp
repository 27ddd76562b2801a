// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "study_cases.hpp"

namespace frond::cli {

/// Seconds of one factorization on the cores of this machine, by a session and an analysis of its own.
double real_seconds(const Options& options, const StudyCase& one);

}  // namespace frond::cli
