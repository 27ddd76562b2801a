// SPDX-License-Identifier: BSD-3-Clause
// The program as one of several processes.
#pragma once

#include "arguments/command_line.hpp"
#include "frond/mpi_process.hpp"

#include <memory>

namespace frond::cli {

/// MPI, where the command line or a launcher asks for it; null: this process works alone.
/// @throws RuntimeError  it is asked for, and cannot be had; InvalidArgument: for a command of one process
std::unique_ptr<MpiProcess> start_mpi(const CommandLine& line);

/// Puts the number of the rank in the place of "%r" in names of files, and takes away what only rank 0 writes.
CommandLine line_of_rank(const CommandLine& line, index_t rank);

/// Whether each rank has a file of its own.
bool is_by_rank(const std::string& file);

}  // namespace frond::cli
