// SPDX-License-Identifier: BSD-3-Clause
// Models of the times of tasks in a file (docs/machines.md), as frond calibrate writes them.
#pragma once

#include "frond/codelets/time_models.hpp"
#include "machine_file.hpp"

#include <string>
#include <string_view>

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

}  // namespace frond::cli
