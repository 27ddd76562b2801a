// SPDX-License-Identifier: BSD-3-Clause
#include "scale_values.hpp"

#include <algorithm>

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/largest.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned most_blocks = 2048;

FROND_DEVICE double scaled(double a, double r, double c) { return a * r * c; }
FROND_DEVICE float scaled(float a, double r, double c) { return static_cast<float>(double(a) * r * c); }
template <class R>
FROND_DEVICE Complex<R> scaled(Complex<R> a, double r, double c) {
    return {scaled(a.re, r, c), scaled(a.im, r, c)};
}

template <class S>
__global__ void __launch_bounds__(threads_of_largest)
    scale_values_kernel(const S* given, ValueSources from, count_t entries, S* value,
                        unsigned long long* largest_bits) {
    unsigned long long largest = 0;
    const count_t step = static_cast<count_t>(blockDim.x) * gridDim.x;
    for (count_t e = static_cast<count_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < entries; e += step) {
        const count_t source = from.source[e];
        S v = given[source >= 0 ? source : ~source];
        if (from.row_scale != nullptr) v = scaled(v, from.row_scale[from.row[e]], from.column_scale[from.column[e]]);
        if (source < 0 && from.conjugate_mirrored) v = conjugate(v);
        value[e] = v;
        const unsigned long long bits = bits_of(magnitude(v));
        largest = bits > largest ? bits : largest;
    }
    keep_largest_of_block(largest, largest_bits);
}

/// Like all kernels one for each scalar.
template <class S>
__global__ void begin_answer_kernel(RelativeRule rule, const unsigned long long* largest_bits,
                                    EliminateAnswer* answer) {
    const double given = __longlong_as_double(static_cast<long long>(*largest_bits));
    const double largest = given > 0 ? given : 1;
    answer->smallest_pivot = fmax(rule.per_largest * largest, rule.least);
    answer->bound = rule.bound;
    answer->failed = 0;
    answer->largest_bits = 0;
}

}  // namespace

template <class T>
void begin_answer(Stream stream, const RelativeRule& rule, const unsigned long long* largest_bits,
                  EliminateAnswer* answer) {
    launch<DeviceScalar<T>, begin_answer_kernel<DeviceScalar<T>>>(stream, {1, 1}, rule, largest_bits, answer);
    check_launch("begin_answer");
}

template <class T>
void scale_values(Stream stream, const T* given, const ValueSources& sources, count_t entries, T* value,
                  unsigned long long* largest_bits) {
    using S = DeviceScalar<T>;
    if (entries == 0) return;
    const unsigned blocks = std::min(parts(entries, threads_of_largest), most_blocks);
    launch<S, scale_values_kernel<S>>(stream, {blocks, threads_of_largest}, reinterpret_cast<const S*>(given), sources,
                                      entries, reinterpret_cast<S*>(value), largest_bits);
    check_launch("scale_values");
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template void begin_answer<T>(Stream, const RelativeRule&, const unsigned long long*, EliminateAnswer*); \
    template void scale_values<T>(Stream, const T*, const ValueSources&, count_t, T*, unsigned long long*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
