// SPDX-License-Identifier: BSD-3-Clause
// Published ranks of real matrices that are too large or not integer enough for an exact elimination.
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
inline constexpr KnownNullity known_nullities[] = {
    {"lp_ken_11_aug", 121}, {"lp_ken_11_aat", 121}, {"lp_dfl001_aug", 13},
    {"lp_dfl001_aat", 13},  {"lp_qap12_aat", 398},  {"lp_qap15_aug", 632},
};

/// For a file or its name without .mtx.gz.
inline std::optional<index_t> known_nullity(const std::string& file) {
    for (const auto& [name, nullity] : known_nullities)
        if (file == name || file == std::string(name) + ".mtx.gz") return nullity;
    return std::nullopt;
}

} // namespace frond::test
