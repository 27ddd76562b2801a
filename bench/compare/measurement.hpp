// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "peer.hpp"

namespace frond::bench {

/// One process, one solver, one matrix: what is measured in it.
struct RunRequest {
    std::string solver;
    std::string matrix;  // file or generate:KIND:SIZE
    Mode mode = Mode::general;
    int threads = 2;
    int factorizations = 3;  // the first is reported apart: it meets cold memory
    double timeout_seconds = 600;
};

/// Measures in this process. The object has: solver, version, matrix, rows, entries, seconds of analysis,
/// factor_first, factor (median of the others), solve (median of 3), flops, factor_entries, peak_bytes
/// (growth of the process' resident peak), backward_error, componentwise_backward_error, remark, or error.
nlohmann::json measure_here(const RunRequest& request);

/// The same in a child process, so that peaks of memory are apart and a crash is a result, too.
nlohmann::json measure_in_child(const RunRequest& request);

const char* to_string(Mode mode);
Mode mode_from_string(const std::string& text);

/// definite, symmetric or general, from the symmetry and the diagonal of the matrix.
Mode natural_mode(const std::string& matrix);

}  // namespace frond::bench
