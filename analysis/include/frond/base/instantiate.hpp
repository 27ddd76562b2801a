// SPDX-License-Identifier: BSD-3-Clause
// Explicit instantiation for the scalars this build has (CMake option FROND_SCALARS); matrices can be read and
// generated (AnyMatrix, AnyGenerated) in double and complex<double> whatever it has.
//   #define FROND_INSTANTIATE(T) template void factor_llt<T>(DenseView<T>, PivotReport&);
//   FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#pragma once

#include <complex>
#include <type_traits>

#if FROND_SCALAR_S
#define FROND_IF_S(macro, ...) macro(float __VA_OPT__(, ) __VA_ARGS__)
#else
#define FROND_IF_S(macro, ...)
#endif
#if FROND_SCALAR_D
#define FROND_IF_D(macro, ...) macro(double __VA_OPT__(, ) __VA_ARGS__)
#else
#define FROND_IF_D(macro, ...)
#endif
#if FROND_SCALAR_C
#define FROND_IF_C(macro, ...) macro(std::complex<float> __VA_OPT__(, ) __VA_ARGS__)
#else
#define FROND_IF_C(macro, ...)
#endif
#if FROND_SCALAR_Z
#define FROND_IF_Z(macro, ...) macro(std::complex<double> __VA_OPT__(, ) __VA_ARGS__)
#else
#define FROND_IF_Z(macro, ...)
#endif

// Matrices and vectors in files: a real matrix may have complex right-hand sides.
#if FROND_SCALAR_S || FROND_SCALAR_C
#define FROND_IF_COMPLEX_FLOAT(macro, ...) macro(std::complex<float> __VA_OPT__(, ) __VA_ARGS__)
#else
#define FROND_IF_COMPLEX_FLOAT(macro, ...)
#endif

// What follows the macro goes to it behind the scalar.
#define FROND_FOR_EACH_SCALAR(...) \
    FROND_IF_S(__VA_ARGS__) FROND_IF_D(__VA_ARGS__) FROND_IF_C(__VA_ARGS__) FROND_IF_Z(__VA_ARGS__)
#define FROND_FOR_EACH_MATRIX_SCALAR(macro) \
    FROND_IF_S(macro) macro(double) FROND_IF_COMPLEX_FLOAT(macro) macro(std::complex<double>)

namespace frond {

/// True: this build factors matrices of the scalar.
template <class T>
constexpr bool is_built() {
#define FROND_IS_BUILT(S) \
    if (std::is_same_v<T, S>) return true;
    FROND_FOR_EACH_SCALAR(FROND_IS_BUILT)
#undef FROND_IS_BUILT
    return false;
}

}  // namespace frond
