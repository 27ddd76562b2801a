// SPDX-License-Identifier: BSD-3-Clause
// Ranks of real matrices that are too large or not integer enough for an exact elimination: published, or
// known by their structure.
#pragma once

#include "frond/base/types.hpp"

#include <optional>
#include <string>

namespace frond::test {

struct KnownNullity {
    const char* name;
    index_t nullity;
};

/// "Numeric rank" of an m x n constraint matrix A in the index of the SuiteSparse collection (Davis & Hu
/// 2011), group LPnetlib: lp_ken_11 14573 of 14694 rows, lp_dfl001 6058 of 6071, lp_qap12 2794 of 3192,
/// lp_qap15 5698 of 6330. A D A^T and (-D A^T; A 0) with positive diagonal D lack the m - rank(A) too.
/// ksip_kkt is (D A^T; A 0) with A [1001, 20] of full column rank. lap_25, of ones and small: by exact
/// elimination.
inline constexpr KnownNullity known_nullities[] = {
    {"lp_ken_11_aug", 121}, {"lp_ken_11_aat", 121}, {"lp_dfl001_aug", 13}, {"lp_dfl001_aat", 13},
    {"lp_qap12_aat", 398},  {"lp_qap15_aug", 632},  {"ksip_kkt", 981},     {"lap_25", 9},
};

/// For a file or its name without .mtx or .mtx.gz.
inline std::optional<index_t> known_nullity(const std::string& file) {
    for (const auto& [name, nullity] : known_nullities)
        for (const char* ending : {"", ".mtx", ".mtx.gz"})
            if (file == std::string(name) + ending) return nullity;
    return std::nullopt;
}

}  // namespace frond::test
