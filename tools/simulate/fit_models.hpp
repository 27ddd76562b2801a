// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/time_models.hpp"

#include <vector>

namespace frond::cli {

/// The model with seconds >= 0 and terms >= 0 whose errors at the samples, relative to what a first such model says,
/// have the least sum of squares; then all of it times one factor, so that the sum of the samples is met. Samples of
/// more than 4 times or less than a twentieth of what the first model says are left out: others ran on their core, or
/// its clock was set.
/// @pre  there is a sample
/// @par Source  [LawsonHanson1974] chapter 23, with all choices of coefficients tried in place of its algorithm
TimeModel fit_model(const std::vector<TimeSample>& samples);

/// sum of |model - sample| / sum of samples.
double mean_error_of(const TimeModel& model, const std::vector<TimeSample>& samples);

}  // namespace frond::cli
