// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_json.hpp"

namespace frond::cli {

/// The part "factorization" of run_json().
Json factorization_json(const FactorReport& f);

}  // namespace frond::cli
