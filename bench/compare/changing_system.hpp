// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run/new_values.hpp"
#include "test_system.hpp"

#include <optional>

namespace frond::bench {

/// A X = B in the precision T that the solver works in, and the same numbers in double precision.
/// The solver reads `a` and `b` and writes `x`, which stay where they are.
template <class T, class Double>
struct ChangingSystem {
    ChangingSystem(const SparseMatrix<Double>& first_values, index_t right_hand_sides_)
        : original(first_values), same(original), a{original.pattern, {}, original.symmetry}, rhs(right_hand_sides_) {
        take(original.value);
        x.resize(b.size());
    }

    ChangingSystem(const ChangingSystem&) = delete;
    ChangingSystem& operator=(const ChangingSystem&) = delete;

    void change(cli::ValueChange change, int round) {
        take(cli::changed_values(original, change, static_cast<std::uint64_t>(round)));
    }

    LargestErrors errors() const { return largest_errors(same, converted<Double>(x), converted<Double>(b), rhs); }

    const SparseMatrix<Double>& original;
    SparseMatrix<Double> same;  // the numbers of a
    SparseMatrix<T> a;
    index_t rhs;
    std::vector<T> b, x;

private:
    void take(const std::vector<Double>& value) {
        a.value = converted<T>(value);
        same.value = converted<Double>(a.value);
        b = converted<T>(right_hand_sides(same, rhs));
    }
};

}  // namespace frond::bench
