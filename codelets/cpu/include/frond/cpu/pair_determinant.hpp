// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cmath>

namespace frond::cpu {

/// det [d1 e'; e d2] = factor unit^2 of a 2x2 pivot, e' = conj(e) when Hermitian, else e; |unit| =
/// |e| > 0. No product of two entries is formed, which may leave the range of the scalar while they
/// do not. In a pivot e is not small against d1 and d2 together.
template <class T>
struct PairDeterminant {
    T unit, factor;

    PairDeterminant(T d1, T e, T d2, bool hermitian)
        : unit(hermitian ? T(std::abs(e)) : e), factor((d1 / unit) * (d2 / unit) - T(1)) {}
};

}  // namespace frond::cpu
