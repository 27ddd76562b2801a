// SPDX-License-Identifier: BSD-3-Clause
// What differs between instruction sets: loads and stores of some of the lanes of a vector.
// The including source defines FROND_ISA (a namespace) and FROND_VECTOR_BYTES.
#pragma once

#include "frond/base/types.hpp"

#include <complex>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define FROND_INLINE inline __attribute__((always_inline))

namespace frond::cpu::FROND_ISA {

#if FROND_VECTOR_BYTES == 64

FROND_INLINE unsigned lane_mask(int first, int last) { return ((1u << last) - 1u) & ~((1u << first) - 1u); }

FROND_INLINE __m512d load_lanes(const double* p, int first, int last) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>(lane_mask(first, last)), p);
}

FROND_INLINE __m512 load_lanes(const float* p, int first, int last) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(lane_mask(first, last)), p);
}

FROND_INLINE void store_lanes(double* p, __m512d v, int first, int last) {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(lane_mask(first, last)), v);
}

FROND_INLINE void store_lanes(float* p, __m512 v, int first, int last) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>(lane_mask(first, last)), v);
}

#elif FROND_VECTOR_BYTES == 32

FROND_INLINE __m256i lane_mask64(int first, int last) {
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_set1_epi64x(last), lane),
                            _mm256_cmpgt_epi64(lane, _mm256_set1_epi64x(first - 1)));
}

FROND_INLINE __m256i lane_mask32(int first, int last) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_and_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(last), lane),
                            _mm256_cmpgt_epi32(lane, _mm256_set1_epi32(first - 1)));
}

FROND_INLINE __m256d load_lanes(const double* p, int first, int last) {
    return _mm256_maskload_pd(p, lane_mask64(first, last));
}

FROND_INLINE __m256 load_lanes(const float* p, int first, int last) {
    return _mm256_maskload_ps(p, lane_mask32(first, last));
}

FROND_INLINE void store_lanes(double* p, __m256d v, int first, int last) {
    _mm256_maskstore_pd(p, lane_mask64(first, last), v);
}

FROND_INLINE void store_lanes(float* p, __m256 v, int first, int last) {
    _mm256_maskstore_ps(p, lane_mask32(first, last), v);
}

#else

template <class R>
FROND_INLINE auto load_lanes(const R* p, int first, int last) {
    typedef R V __attribute__((vector_size(FROND_VECTOR_BYTES)));
    V v = {};
    for (int l = 0; l < FROND_VECTOR_BYTES / static_cast<int>(sizeof(R)); ++l)
        if (l >= first && l < last) v[l] = p[l];
    return v;
}

template <class R, class V>
FROND_INLINE void store_lanes(R* p, V v, int first, int last) {
    for (int l = 0; l < FROND_VECTOR_BYTES / static_cast<int>(sizeof(R)); ++l)
        if (l >= first && l < last) p[l] = v[l];
}

#endif

}  // namespace frond::cpu::FROND_ISA
