// SPDX-License-Identifier: BSD-3-Clause
// How a kernel asks what to do with a pivot: calls into code compiled for every processor.
#pragma once

#include "frond/base/types.hpp"

namespace frond::cpu::simd {

template <class T>
struct PivotJudge {
    void* counter;
    /// 1x1 pivots with |re| + |im| at least this need no judgement; the caller counts them
    /// afterwards from the diagonal.
    real_t<T> ordinary;
    /// The 1x1 pivot to use in place of a smaller one, at this position of the block.
    T (*raise)(void* counter, T pivot, index_t position);
    /// Counts a 2x2 pivot [d1 e'; e d2].
    void (*count_two_by_two)(void* counter, T d1, T e, T d2);
    /// 2x2 pivots whose smallest singular value may be below this are not taken.
    double smallest;
};

}  // namespace frond::cpu::simd
