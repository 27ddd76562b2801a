// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "peer.hpp"

namespace frond::bench {

/// RunRequest::values: every factorization has the values of the file.
inline constexpr const char* same_values = "same";

/// One process, one solver, one matrix: what is measured in it.
struct RunRequest {
    std::string solver;  // NAME or NAME:SETTINGS
    std::string matrix;  // file or generate:KIND:SIZE
    Mode mode = Mode::general;
    int threads = 2;
    int analyses = 1;
    /// Each with a first and a second solve; the first factorization is reported apart.
    int factorizations = 3;
    /// Before each but the first: a cli::ValueChange, or same_values.
    std::string values = "congruence";
    int rhs = 1;
    bool single = false;  // values rounded to single precision, and solved in it
    std::string order_of;  // solver whose elimination order the others are given; empty: each its own
    double timeout_seconds = 600;
    int ranks = 0;  // processes of one communicator; 0: one process without MPI
    bool count_messages = false;  // of the ranks
};

/// What the child process reads, and what it writes back.
std::vector<std::string> arguments_of(const RunRequest& request);
RunRequest request_of(const std::vector<std::string>& arguments);

/// Measures in this process. The object has: solver, version, matrix, mode, threads, values, rows,
/// entries; seconds of analysis, factor and solve (the first solve after each factorization):
/// medians without the first of several, each with its _first and _all; solve_again_seconds (the
/// second solve); start_seconds (session or handle); cold_seconds (start, first analysis, first
/// factorization, first solve); flops, factor_entries, peak_bytes (growth of the process' resident
/// peak), device_bytes; backward_error and componentwise_backward_error (largest of all solves and
/// right-hand sides, computed here in double precision from X); scalings_kept and rescaled
/// (factorizations, where the solver says); compared_with_scratch and other_than_from_scratch
/// (factorizations whose inertia or verdict is not that of the same values analysed and factored
/// anew; not for congruence); remark; or error.
nlohmann::json measure_here(const RunRequest& request);

/// NAME of NAME:SETTINGS.
std::string solver_name(const std::string& solver);

/// The same in a child process, so that peaks of memory are apart and a crash is a result, too; with rhs,
/// precision and order_of.
nlohmann::json measure_in_child(const RunRequest& request);

/// The same on request.ranks ranks of one machine (bench/ranks), `threads` of each: seconds are those of the slowest rank,
/// peak_bytes is the sum over the ranks; also ranks, largest_peak_bytes and, where messages are counted,
/// analysis_bytes_sent, analysis_messages, factor_bytes_sent and factor_messages of a first analysis and factorization:
/// what all ranks have sent through Open MPI (pml_monitoring), in processes of their own.
nlohmann::json measure_on_ranks(const RunRequest& request);

/// The solvers of bench/ranks, as the build has them; empty without MPI.
std::vector<std::string> solvers_on_ranks();

const char* to_string(Mode mode);
Mode mode_from_string(const std::string& text);

/// definite, symmetric or general, from the symmetry and the diagonal of the matrix; not definite
/// where the values change to those of an indefinite matrix.
Mode natural_mode(const std::string& matrix, const std::string& values);

}  // namespace frond::bench
