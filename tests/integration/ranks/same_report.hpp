// SPDX-License-Identifier: BSD-3-Clause
// What several ranks find is what one finds.
#pragma once

#include "frond/reports.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <optional>

namespace frond::test {

/// The tolerance of sums of positive terms, some hundred thousand at most, in another order.
inline constexpr double of_another_order = 1e5 * std::numeric_limits<double>::epsilon();

inline void check_same_inertia(const FactorReport& found, const FactorReport& alone) {
    CHECK(found.pivots.inertia.has_value() == alone.pivots.inertia.has_value());
    if (!found.pivots.inertia || !alone.pivots.inertia) return;
    CHECK(found.pivots.inertia->negative == alone.pivots.inertia->negative);
    CHECK(found.pivots.inertia->zero == alone.pivots.inertia->zero);
    CHECK(found.pivots.inertia->positive == alone.pivots.inertia->positive);
}

inline void check_same_report(const FactorReport& found, const FactorReport& alone) {
    CHECK(found.status == alone.status);
    check_same_inertia(found, alone);
    CHECK(found.pivots.delayed == alone.pivots.delayed);
    CHECK(found.pivots.second_pass == alone.pivots.second_pass);
    CHECK(found.pivots.two_by_two == alone.pivots.two_by_two);
    CHECK(found.pivots.largest_l == alone.pivots.largest_l);
    CHECK(found.pivots.smallest == alone.pivots.smallest);
    CHECK(found.pivots.largest == alone.pivots.largest);
    CHECK(found.pivots.small_columns == alone.pivots.small_columns);
    CHECK(found.pivots.null_rows == alone.pivots.null_rows);
    CHECK(found.pivots.perturbed == alone.pivots.perturbed);
    CHECK(found.memory.factor_entries == alone.memory.factor_entries);
    CHECK(found.memory.factor_bytes == alone.memory.factor_bytes);
    CHECK(found.work.flops == doctest::Approx(alone.work.flops).epsilon(of_another_order));
}

template <class LogDeterminant>
void check_same_determinant(const std::optional<LogDeterminant>& found, const std::optional<LogDeterminant>& alone) {
    CHECK(found.has_value() == alone.has_value());
    if (!found || !alone) return;
    CHECK(found->log_abs == alone->log_abs);
    CHECK(found->phase == alone->phase);
}

}  // namespace frond::test
