// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "frond/base/types.hpp"
#include "ranked/option_values.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

/// Which call a rank makes, and for which scalars; then what else must agree.
template <class T>
NamedValues call_of(const char* name, NamedValues further = {}) {
    const std::string scalar =
        std::string(is_complex<T> ? "complex " : "") + (sizeof(real_t<T>) == 4 ? "single" : "double");
    NamedValues values{{"the call", std::string("Solver::") + name}, {"the scalar", scalar}};
    values.insert(values.end(), further.begin(), further.end());
    return values;
}

inline NamedValues factor_values_of(const FactorOptions& options) {
    Options all;
    all.factor = options;
    return option_values(all, OptionPhase::factor);
}

}  // namespace frond::detail
