// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_facts.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace frond::cli {

using Json = nlohmann::ordered_json;

/// The object that --json writes; docs/json.md names its fields. What was not done is null; of a
/// matrix that was not read there is but its name.
Json run_json(const RunFacts& facts);

/// The part "frond": version and, once a session has started, BLAS, StarPU, workers.
Json session_json(const SessionInfo& session);

/// null when the value is not finite: JSON has no NaN and no infinity.
Json number_json(double value);

/// Writes the object, indented, to a file, or to standard output for "-".
/// @throws RuntimeError  the file cannot be written
void write_json(const std::string& file, const Json& object);

/// The part "factorization" of run_json().
Json factorization_json(const FactorReport& f);

}  // namespace frond::cli
