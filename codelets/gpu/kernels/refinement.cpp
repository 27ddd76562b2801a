// SPDX-License-Identifier: BSD-3-Clause
#include "refinement.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "largest.hpp"
#include "launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = threads_of_largest;

__device__ double number_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }

__device__ index_t row_of_thread() { return static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x); }

__device__ double scale_at(const double* scale, index_t i) { return scale == nullptr ? 1.0 : scale[i]; }

template <class S>
__device__ S scaled(S x, const double* scale, index_t i) {
    return scale == nullptr ? x : times_real(x, static_cast<DeviceReal<S>>(scale[i]));
}

template <class S>
__global__ void gather_values_kernel(const S* given, const count_t* source, Conjugated conjugated, count_t entries,
                                     S* value) {
    const count_t e = static_cast<count_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e >= entries) return;
    const count_t from = source[e];
    const S v = given[from >= 0 ? from : ~from];
    value[e] = conjugated.all != (from < 0 && conjugated.mirrored) ? conjugate(v) : v;
}

template <class S>
__global__ void take_kernel(const SystemView<S> a, const S* given, count_t ld, const RefinementVectors<S> v) {
    const index_t k = row_of_thread();
    const count_t at = k + static_cast<count_t>(blockIdx.y) * a.n;
    if (k < a.n) v.b[at] = v.r[at] = given[a.row_order[k] + static_cast<count_t>(blockIdx.y) * ld];
}

template <class S>
__global__ void scale_kernel(const SystemView<S> a, const RefinementVectors<S> v, S* x) {
    const index_t k = row_of_thread();
    const count_t at = k + static_cast<count_t>(blockIdx.y) * a.n;
    if (k < a.n) x[at] = scaled(v.r[at], a.row_scale, k);
}

template <class S>
__global__ void add_kernel(const SystemView<S> a, const RefinementVectors<S> v, bool first, const S* x) {
    const index_t k = row_of_thread();
    const count_t at = k + static_cast<count_t>(blockIdx.y) * a.n;
    if (k >= a.n) return;
    const S correction = scaled(x[at], a.column_scale, k);
    v.trial[at] = first ? correction : v.best[at] + correction;
}

template <class S>
__global__ void residual_kernel(const SystemView<S> a, const RefinementVectors<S> v, ErrorBits* errors) {
    const index_t k = row_of_thread();
    const count_t column = static_cast<count_t>(blockIdx.y) * a.n;
    ErrorBits* const e = errors + blockIdx.y;
    unsigned long long x_bits = 0, scaled_bits = 0, b_bits = 0, r_bits = 0;
    if (k < a.n) {
        S r = v.b[column + k];
        DeviceReal<S> w = magnitude(r);
        b_bits = bits_of(w);
        for (count_t entry = a.row_begin[k]; entry < a.row_begin[k + 1]; ++entry) {
            const S term = a.value[entry] * v.trial[column + a.column[entry]];
            r = r - term;
            w += magnitude(a.value[entry]) * magnitude(v.trial[column + a.column[entry]]);
        }
        v.r[column + k] = r;
        v.w[column + k] = w;
        const double x = magnitude(v.trial[column + k]);
        x_bits = bits_of(x);
        scaled_bits = bits_of(x * scale_at(a.inverse_solution_scale, k));
        r_bits = bits_of(magnitude(r));
    }
    keep_largest_of_block(x_bits, &e->x);
    keep_largest_of_block(scaled_bits, &e->scaled_x);
    keep_largest_of_block(b_bits, &e->b);
    keep_largest_of_block(r_bits, &e->r);
}

/// The rule of LinearSystem::denominator.
template <class S>
__device__ double denominator(const SystemView<S>& a, index_t k, double w, double b, double size_x, double scaled_x) {
    double row = static_cast<double>(a.row_sum[k]) * size_x;
    if (a.scaled_row_sum != nullptr) row = fmin(row, static_cast<double>(a.scaled_row_sum[k]) * scaled_x);
    const double large = fmax(w - b, 0.0) + row;
    const double chosen = w > a.tiny * (row + b) ? w : large;
    return chosen == 0 ? b : chosen;
}

template <class S>
__global__ void quotient_kernel(const SystemView<S> a, const RefinementVectors<S> v, ErrorBits* errors) {
    const index_t k = row_of_thread();
    const count_t at = k + static_cast<count_t>(blockIdx.y) * a.n;
    ErrorBits* const e = errors + blockIdx.y;
    unsigned long long bits = 0;
    if (k < a.n) {
        const double r = magnitude(v.r[at]);
        const double y = denominator(a, k, v.w[at], magnitude(v.b[at]), number_of(e->x),
                                     number_of(e->scaled_x));
        const double quotient = isfinite(y) ? r / y : static_cast<double>(NAN);
        bits = r == 0 ? 0 : bits_of(quotient);
    }
    keep_largest_of_block(bits, &e->componentwise);
}

template <class S>
__global__ void give_kernel(const SystemView<S> a, const RefinementVectors<S> v, S* given, count_t ld) {
    const index_t k = row_of_thread();
    const count_t q = static_cast<count_t>(blockIdx.y);
    if (k < a.n) given[a.column_order[k] + q * ld] = v.best[k + q * a.n];
}

template <class S>
dim3 grid_of(const SystemView<S>& a, index_t rhs) {
    return {parts(a.n, threads_per_block), static_cast<unsigned>(rhs)};
}

}  // namespace

template <class S>
void gather_values(Stream stream, const S* given, const count_t* source, Conjugated conjugated, count_t entries,
                   S* value) {
    if (entries == 0) return;
    gather_values_kernel<<<parts(entries, threads_per_block), threads_per_block, 0, stream>>>(
        given, source, conjugated, entries, value);
    check_launch("gather_values");
}

template <class S>
void take_right_hand_sides(Stream stream, const SystemView<S>& a, const S* given, count_t ld,
                           const RefinementVectors<S>& v) {
    take_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, given, ld, v);
    check_launch("take_right_hand_sides");
}

template <class S>
void scale_residuals(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, S* x) {
    scale_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, v, x);
    check_launch("scale_residuals");
}

template <class S>
void add_corrections(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, bool first, const S* x) {
    add_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, v, first, x);
    check_launch("add_corrections");
}

template <class S>
void measure_errors(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, ErrorBits* errors) {
    check(FROND_GPU(MemsetAsync)(errors, 0, sizeof(ErrorBits) * static_cast<std::size_t>(v.rhs), stream),
          "clearing errors");
    residual_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, v, errors);
    check_launch("measure_errors, residuals");
    quotient_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, v, errors);
    check_launch("measure_errors, quotients");
}

template <class S>
void adopt_trial(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, index_t q) {
    const count_t at = static_cast<count_t>(q) * a.n;
    check(FROND_GPU(MemcpyAsync)(v.best + at, v.trial + at, sizeof(S) * static_cast<std::size_t>(a.n),
                                 FROND_GPU(MemcpyDeviceToDevice), stream),
          "adopting a solution");
}

template <class S>
void give_solutions(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, S* given, count_t ld) {
    give_kernel<<<grid_of(a, v.rhs), threads_per_block, 0, stream>>>(a, v, given, ld);
    check_launch("give_solutions");
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template void gather_values<DeviceScalar<T>>(Stream, const DeviceScalar<T>*, const count_t*, Conjugated, count_t, \
                                                 DeviceScalar<T>*);                                               \
    template void take_right_hand_sides<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,               \
                                                         const DeviceScalar<T>*, count_t,                         \
                                                         const RefinementVectors<DeviceScalar<T>>&);              \
    template void scale_residuals<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                     \
                                                   const RefinementVectors<DeviceScalar<T>>&, DeviceScalar<T>*);  \
    template void add_corrections<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                     \
                                                   const RefinementVectors<DeviceScalar<T>>&, bool,               \
                                                   const DeviceScalar<T>*);                                       \
    template void measure_errors<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                      \
                                                  const RefinementVectors<DeviceScalar<T>>&, ErrorBits*);         \
    template void adopt_trial<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                         \
                                               const RefinementVectors<DeviceScalar<T>>&, index_t);               \
    template void give_solutions<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                      \
                                                  const RefinementVectors<DeviceScalar<T>>&, DeviceScalar<T>*, \
                                                  count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
