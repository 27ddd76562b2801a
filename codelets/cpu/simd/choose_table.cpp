// SPDX-License-Identifier: BSD-3-Clause
#include "prelude.hpp"

namespace frond::cpu::simd {

namespace {

template<class T>
const KernelTable<T>& choose() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return avx512::table<T>();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::table<T>();
#endif
    return baseline::table<T>();
}

} // namespace

template<class T>
const KernelTable<T>& kernels() {
    static const KernelTable<T>& table = choose<T>();
    return table;
}

#define FROND_INSTANTIATE(T) template const KernelTable<T>& kernels<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu::simd
