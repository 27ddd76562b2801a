// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arguments/command_line.hpp"
#include "simulate/machine_file.hpp"
#include "simulate/model_file.hpp"

namespace frond::cli {

/// The models and the machine, in place of the one that the process runs on: from here on the process takes its times and
/// its hardware from them.
SessionOptions simulated_session(const CommandLine& line, const SimulatedMachine& machine, const ModelFile& models);

}  // namespace frond::cli
