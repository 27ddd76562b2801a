// SPDX-License-Identifier: BSD-3-Clause
// Models of the times of tasks in a file (docs/machines.md), as frond calibrate writes them.
#pragma once

#include "frond/codelets/time_models.hpp"
#include "machine_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

struct ModelFile {
    std::string processor;  // that they were recorded on
    std::string date;
    TimeModels models;
};

/// The name of the file in the folder of --model.
inline constexpr const char* model_file_name = "models.json";

/// The folder that --model gives, else the one that the machine names and that is shipped. @throws InvalidArgument
/// there is none
std::string model_folder_of(const std::string& given, const SimulatedMachine& machine);

/// @throws InvalidArgument  naming file, line and reason
ModelFile parse_models(std::string_view text, const std::string& file);
ModelFile read_models(const std::string& folder);

std::string text_of_models(const ModelFile& file);

/// The models of a core that is so many times as fast; those of a card stay.
TimeModels at_speed(TimeModels models, double speed);

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
