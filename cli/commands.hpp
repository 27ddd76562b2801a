// SPDX-License-Identifier: BSD-3-Clause
// The commands of the program. Each returns the exit code and throws what the library throws.
#pragma once

#include "arguments/command_line.hpp"

#include <string>

namespace frond::cli {

/// `frond solve` and, without factorization and solve, `frond analyze`.
int solve_command(const CommandLine& line);

/// `frond solve-dense`: the same of a dense matrix.
int solve_dense_command(const CommandLine& line);

/// `frond trace`: solves, and writes what the workers did.
int trace_command(const CommandLine& line);

/// `frond bench`: the same runs several times, medians and minima.
int bench_command(const CommandLine& line);

/// `frond simulate`: how long a factorization takes on a machine that is described by a file.
int simulate_command(const CommandLine& line);

/// `frond study`: simulations of all combinations of matrices, machines, schedulers and tile sizes.
int study_command(const CommandLine& line);

/// `frond calibrate`: models of the times of tasks on this machine, for simulations.
int calibrate_command(const CommandLine& line);

/// `frond tune`: what is quicker on this machine than the defaults, for later sessions.
int tune_command(const CommandLine& line);

/// `frond info`: machine, StarPU, BLAS and its kernels, GPUs.
int info_command(const CommandLine& line);

/// `frond generate KIND SIZE`.
int generate_command(const CommandLine& line);

/// `frond manual options|errors`: the pages of docs/ that come from tables.
int manual_command(const CommandLine& line);

/// The whole program after the choice of BLAS kernels: parse, run, turn errors into exit codes.
int run_program(int argc, char** argv);

const char* version_number() noexcept;  // "0.1.0"
const char* commit() noexcept;  // of the sources, "-dirty" with changes; or "unknown"
std::string version_text();  // "frond 0.1.0 (commit 1a2b3c4d5e6f)"

}  // namespace frond::cli
