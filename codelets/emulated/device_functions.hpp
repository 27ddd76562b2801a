// SPDX-License-Identifier: BSD-3-Clause
// Functions that kernels call and the host's compiler does not know. Threads take turns: nothing needs to be atomic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

using std::max;
using std::min;

template <class Value>
Value atomicMax(Value* at, Value value) {
    const Value before = *at;
    *at = std::max(before, value);
    return before;
}
template <class Value>
Value atomicMin(Value* at, Value value) {
    const Value before = *at;
    *at = std::min(before, value);
    return before;
}
inline unsigned atomicInc(unsigned* at, unsigned last) {
    const unsigned before = *at;
    *at = before >= last ? 0 : before + 1;
    return before;
}
inline void __threadfence() {}

inline unsigned __float_as_uint(float x) {
    unsigned bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline long long __double_as_longlong(double x) {
    long long bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline double __longlong_as_double(long long bits) {
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
