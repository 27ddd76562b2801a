// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/time_models.hpp"
#include "simulate/calibration_problems.hpp"

#include <span>

namespace frond::cli {

/// Of whole trees on a card, in pieces, and of fronts on tiles there; none is one that documents predict.
std::span<const CalibrationProblem> problems_of_pieces();
std::span<const CalibrationProblem> problems_of_tiles();

/// Of pieces of trees and of tasks on tiles on a card, and of the cores beside it; empty: no card can be used.
TimeSamples record_on_card();

}  // namespace frond::cli
