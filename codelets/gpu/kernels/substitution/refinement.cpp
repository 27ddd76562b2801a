// SPDX-License-Identifier: BSD-3-Clause
#include "refinement.hpp"

#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/launch.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = 256;

__device__ index_t row_of_thread() { return static_cast<index_t>(blockIdx.x * blockDim.x + threadIdx.x); }

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
    launch<S, gather_values_kernel<S>>(stream, {parts(entries, threads_per_block), threads_per_block}, given, source,
                                       conjugated, entries, value);
    check_launch("gather_values");
}

template <class S>
void take_right_hand_sides(Stream stream, const SystemView<S>& a, const S* given, count_t ld,
                           const RefinementVectors<S>& v) {
    launch<S, take_kernel<S>>(stream, {grid_of(a, v.rhs), threads_per_block}, a, given, ld, v);
    check_launch("take_right_hand_sides");
}

template <class S>
void scale_residuals(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, S* x) {
    launch<S, scale_kernel<S>>(stream, {grid_of(a, v.rhs), threads_per_block}, a, v, x);
    check_launch("scale_residuals");
}

template <class S>
void add_corrections(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, bool first, const S* x) {
    launch<S, add_kernel<S>>(stream, {grid_of(a, v.rhs), threads_per_block}, a, v, first, x);
    check_launch("add_corrections");
}

template <class S>
void adopt_trial(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, index_t q, index_t count) {
    const count_t at = static_cast<count_t>(q) * a.n, scalars = static_cast<count_t>(count) * a.n;
    check(FROND_GPU(MemcpyAsync)(v.best + at, v.trial + at, sizeof(S) * static_cast<std::size_t>(scalars),
                                 FROND_GPU(MemcpyDeviceToDevice), stream),
          "adopting a solution");
}

template <class S>
void give_solutions(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, S* given, count_t ld) {
    launch<S, give_kernel<S>>(stream, {grid_of(a, v.rhs), threads_per_block}, a, v, given, ld);
    check_launch("give_solutions");
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void gather_values<DeviceScalar<T>>(Stream, const DeviceScalar<T>*, const count_t*, Conjugated, count_t, \
                                                 DeviceScalar<T>*);                                                   \
    template void take_right_hand_sides<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                  \
                                                         const DeviceScalar<T>*, count_t,                             \
                                                         const RefinementVectors<DeviceScalar<T>>&);                  \
    template void scale_residuals<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                        \
                                                   const RefinementVectors<DeviceScalar<T>>&, DeviceScalar<T>*);      \
    template void add_corrections<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                        \
                                                   const RefinementVectors<DeviceScalar<T>>&, bool,                   \
                                                   const DeviceScalar<T>*);                                           \
    template void adopt_trial<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                            \
                                               const RefinementVectors<DeviceScalar<T>>&, index_t, index_t);          \
    template void give_solutions<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&,                         \
                                                  const RefinementVectors<DeviceScalar<T>>&, DeviceScalar<T>*,        \
                                                  count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
