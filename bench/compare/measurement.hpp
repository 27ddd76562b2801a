// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "peer.hpp"

namespace frond::bench {

/// One process, one solver, one matrix: what is measured in it.
struct RunRequest {
    std::string solver;  // NAME or NAME:SETTINGS
    std::string matrix;  // file or generate:KIND:SIZE
    Mode mode = Mode::general;
    int threads = 2;
    int analyses = 1;
    int factorizations = 3;  // and as many solves; of each step the first is reported apart: it is cold
    int rhs = 1;
    bool single = false;      // values rounded to single precision, and solved in it
    std::string order_of;     // solver whose elimination order the others are given; empty: each its own
    double timeout_seconds = 600;
};

/// What the child process is told, and back.
std::vector<std::string> arguments_of(const RunRequest& request);
RunRequest request_of(const std::vector<std::string>& arguments);

/// Measures in this process. The object has: solver, version, matrix, mode, threads, rows, entries; seconds
/// of analysis, factor and solve (medians without the first of several), each with its _first; flops,
/// factor_entries, peak_bytes (growth of the process' resident peak), device_bytes; backward_error and
/// componentwise_backward_error (largest of the right-hand sides, computed here in double precision from
/// X); remark; or error.
nlohmann::json measure_here(const RunRequest& request);

/// NAME of NAME:SETTINGS.
std::string solver_name(const std::string& solver);

/// The same in a child process, so that peaks of memory are apart and a crash is a result, too; with rhs,
/// precision and order_of.
nlohmann::json measure_in_child(const RunRequest& request);

const char* to_string(Mode mode);
Mode mode_from_string(const std::string& text);

/// definite, symmetric or general, from the symmetry and the diagonal of the matrix.
Mode natural_mode(const std::string& matrix);

}  // namespace frond::bench
