// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "job_environment.hpp"
#include "run/run_json.hpp"
#include "search.hpp"
#include "terminal/terminal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

/// What frond tune found, as far as it came.
struct TuneFacts {
    SessionInfo session;
    Measurements measured;
    SearchResult search;
    std::vector<std::string> verified_on;  // titles of problems
    std::optional<Verification> verification;
    bool kept = false;
    std::string file;  // where it is kept, or would be
    std::string outcome;  // one line: kept, or why the defaults stay
    double seconds = 0;
    std::vector<JobLine> slurm, mpirun;
};

std::string tune_table(const TuneFacts& facts, const Style& style);
std::string job_text(const TuneFacts& facts);
Json tune_json(const TuneFacts& facts);

}  // namespace frond::cli
