// SPDX-License-Identifier: BSD-3-Clause
// Everything that the kernel sources include before they raise the instruction set, and the
// declarations of the tables they define.
#pragma once

#include "../scalar.hpp"
#include "../scalar.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/types.hpp"
#include "kernel_table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace frond::cpu {

namespace avx512 {
template <class T>
const simd::KernelTable<T>& table();
}

namespace avx2 {
template <class T>
const simd::KernelTable<T>& table();
}

namespace baseline {
template <class T>
const simd::KernelTable<T>& table();
}

}  // namespace frond::cpu
