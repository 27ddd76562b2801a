// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

namespace frond::bench {

/// What a stored result must say of its run: commit, date (UTC), processor, cores, openblas_coretype.
nlohmann::json run_facts();

}  // namespace frond::bench
