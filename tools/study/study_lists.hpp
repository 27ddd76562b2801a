// SPDX-License-Identifier: BSD-3-Clause
// What the lists with commas of frond study mean.
#pragma once

#include "arguments/command_line.hpp"
#include "simulate/machine_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace frond::cli {

/// @throws InvalidArgument  a word is missing, or is there twice
std::vector<std::string> list_of(const std::string& text, const std::string& flag);

/// A case that comes twice would only take time. @throws InvalidArgument
void expect_each_once(std::vector<std::string> words, const std::string& flag);

/// "0064" is 64. @throws InvalidArgument  also where one is no number
std::vector<std::string> tile_sizes_of(const std::string& list);

/// Machines by the names that --machines has for them.
using StudyMachines = std::map<std::string, SimulatedMachine>;

/// Each read once, since `this` opens a session. @throws InvalidArgument  as list_of() and read_machine()
StudyMachines study_machines(const CommandLine& line);

/// For `automatic` such as all of the machines can take.
std::string schedulers_of(const CommandLine& line, const StudyMachines& machines);

}  // namespace frond::cli
