// SPDX-License-Identifier: BSD-3-Clause
// How a kernel asks what to do with a pivot: calls into code compiled for every processor.
#pragma once

#include "frond/base/types.hpp"

namespace frond::cpu::simd {

template<class T>
struct PivotJudge {
    void* counter;
    /// The 1x1 pivot to use in place of the one found; counts it.
    T (*accept)(void* counter, T pivot);
    /// Counts a 2x2 pivot.
    void (*accept_two_by_two)(void* counter, T determinant, T trace);
    /// 2x2 pivots whose smallest singular value may be below this are not taken.
    double smallest;
};

} // namespace frond::cpu::simd
