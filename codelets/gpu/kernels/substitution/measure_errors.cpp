// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "frond/base/instantiate.hpp"
#include "lanes.hpp"
#include "kernels/largest.hpp"
#include "kernels/launch.hpp"
#include "refinement.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads_per_block = threads_of_largest;

__device__ double number_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }

__device__ double scale_at(const double* scale, index_t i) { return scale == nullptr ? 1.0 : scale[i]; }

/// So many threads share a row of A.
constexpr int lanes_of_row = 8;
constexpr unsigned rows_per_block = threads_per_block / lanes_of_row;

/// The sum over the lanes of a row, in each of them.
template <class R>
__device__ R sum_of_row(R sum) {
#pragma unroll
    for (int mask = lanes_of_row / 2; mask > 0; mask /= 2) sum = sum + value_across(sum, mask);
    return sum;
}
template <class R>
__device__ Complex<R> sum_of_row(Complex<R> sum) {
    return {sum_of_row(sum.re), sum_of_row(sum.im)};
}

/// For row k and columns first .. first + count: sum := A x, weight := |A| |x|, the same in all lanes of the row.
template <class S, int Columns>
__device__ void multiply_row(const SystemView<S>& a, const S* x, index_t k, index_t count, S (&sum)[Columns],
                             DeviceReal<S> (&weight)[Columns]) {
    const count_t end = k < a.n ? a.row_begin[k + 1] : 0;
    for (count_t e = (k < a.n ? a.row_begin[k] : 0) + threadIdx.x % lanes_of_row; e < end; e += lanes_of_row) {
        const S value = a.value[e];
        const DeviceReal<S> size = magnitude(value);
        const S* const of_row = x + a.column[e];
#pragma unroll
        for (int q = 0; q < Columns; ++q) {
            if (q >= count) continue;
            const S factor = of_row[q * static_cast<count_t>(a.n)];
            sum[q] = sum[q] + value * factor;
            weight[q] += size * magnitude(factor);
        }
    }
#pragma unroll
    for (int q = 0; q < Columns; ++q) {
        sum[q] = sum_of_row(sum[q]);
        weight[q] = sum_of_row(weight[q]);
    }
}

/// As bound_by_seen() and RowQuotients in runtime/system/backward_error.cpp have it.
__device__ double share_of_row(double size, double row) { return row > 0 ? size / row : 0.0; }

/// Columns: right-hand sides for which A is read once. Lane q of a row ends with column q.
template <class S, int Columns>
__global__ void residual_kernel(const SystemView<S> a, const RefinementVectors<S> v, ErrorBits* errors) {
    const index_t k = static_cast<index_t>(blockIdx.x * rows_per_block + threadIdx.x / lanes_of_row);
    const auto lane = static_cast<index_t>(threadIdx.x % lanes_of_row);
    const auto first = static_cast<index_t>(blockIdx.y) * Columns, count = min(Columns, v.rhs - first);
    S sums[Columns] = {};
    DeviceReal<S> weights[Columns] = {};
    multiply_row(a, v.trial + first * static_cast<count_t>(a.n), k, count, sums, weights);
    const bool has_column = k < a.n && lane < count;
    unsigned long long x_bits = 0, scaled_bits = 0, b_bits = 0, r_bits = 0, seen_bits = 0, scaled_seen_bits = 0;
    if (has_column) {
        S sum = sums[0];
        DeviceReal<S> weight = weights[0];
#pragma unroll
        for (int q = 1; q < Columns; ++q)
            if (q == lane) sum = sums[q], weight = weights[q];
        const count_t at = k + (first + lane) * static_cast<count_t>(a.n);
        const S b = v.b[at], r = b - sum;
        v.r[at] = r;
        v.w[at] = magnitude(b) + weight;
        const double x = magnitude(v.trial[at]);
        x_bits = bits_of(x);
        scaled_bits = bits_of(x * scale_at(a.inverse_solution_scale, k));
        b_bits = bits_of(magnitude(b));
        r_bits = bits_of(magnitude(r));
        seen_bits = bits_of(share_of_row(v.w[at], a.row_sum[k]));
        if (a.scaled_row_sum != nullptr) scaled_seen_bits = bits_of(share_of_row(v.w[at], a.scaled_row_sum[k]));
    }
    // A lane without a column has nothing that is larger than another's.
    ErrorBits* const e = errors + first + min(lane, count - 1);
    keep_largest_of_block<lanes_of_row>(x_bits, &e->x);
    keep_largest_of_block<lanes_of_row>(scaled_bits, &e->scaled_x);
    keep_largest_of_block<lanes_of_row>(b_bits, &e->b);
    keep_largest_of_block<lanes_of_row>(r_bits, &e->r);
    keep_largest_of_block<lanes_of_row>(seen_bits, &e->seen);
    if (a.scaled_row_sum != nullptr) keep_largest_of_block<lanes_of_row>(scaled_seen_bits, &e->scaled_seen);
}

template <class S, int Columns>
void launch_residuals(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, ErrorBits* errors) {
    const dim3 grid(parts(a.n, rows_per_block), parts(v.rhs, Columns));
    launch<S, residual_kernel<S, Columns>>(stream, {grid, threads_per_block}, a, v, errors);
}

/// The numbers of runtime/system/residual_sizes.hpp.
constexpr double most_beyond_seen = 1000, violated_share = 0.5;

/// The rule of error_denominator() there.
template <class S>
__device__ double denominator(const SystemView<S>& a, index_t k, double w, double b, const ErrorBits& e) {
    double row = static_cast<double>(a.row_sum[k]) * fmin(number_of(e.x), most_beyond_seen * number_of(e.seen));
    if (a.scaled_row_sum != nullptr)
        row = fmin(row, static_cast<double>(a.scaled_row_sum[k]) *
                            fmin(number_of(e.scaled_x), most_beyond_seen * number_of(e.scaled_seen)));
    const double large = fmax(w - b, 0.0) + row;
    const double chosen = w > a.tiny * (row + b) ? w : large;
    return chosen == 0 ? b : chosen;
}

/// As on the host: 0 / 0 = 0, and NaN when y is not finite.
__device__ double trusted_quotient(double x, double y) {
    if (x == 0) return 0;
    return isfinite(y) ? x / y : static_cast<double>(NAN);
}

template <class S>
__global__ void quotient_kernel(const SystemView<S> a, const RefinementVectors<S> v, ErrorBits* errors) {
    const auto k = static_cast<index_t>(blockIdx.x * threads_per_block + threadIdx.x);
    const count_t at = k + static_cast<count_t>(blockIdx.y) * a.n;
    ErrorBits* const e = errors + blockIdx.y;
    unsigned long long bits = 0, pure_bits = 0, r_bits = 0, violated_bits = 0, b_bits = 0;
    if (k < a.n) {
        const double r = magnitude(v.r[at]), b = magnitude(v.b[at]), w = v.w[at];
        const double row = a.scaled_row_sum != nullptr ? a.scaled_row_sum[k] : a.row_sum[k];
        const double y = denominator(a, k, w, b, *e);
        bits = bits_of(trusted_quotient(r, y));
        pure_bits = bits_of(trusted_quotient(r, w));
        if (r == r) r_bits = bits_of(share_of_row(r, row));
        if (y != w && r > violated_share * w) violated_bits = r_bits;
        if (b == b) b_bits = bits_of(share_of_row(b, row));
    }
    keep_largest_of_block(bits, &e->componentwise);
    keep_largest_of_block(pure_bits, &e->pure);
    keep_largest_of_block(r_bits, &e->r_of_row);
    keep_largest_of_block(violated_bits, &e->violated_of_row);
    keep_largest_of_block(b_bits, &e->b_of_row);
}

}  // namespace

template <class S>
void measure_errors(Stream stream, const SystemView<S>& a, const RefinementVectors<S>& v, ErrorBits* errors) {
    check(FROND_GPU(MemsetAsync)(errors, 0, sizeof(ErrorBits) * static_cast<std::size_t>(v.rhs), stream),
          "clearing errors");
    if (v.rhs == 1)
        launch_residuals<S, 1>(stream, a, v, errors);
    else
        launch_residuals<S, lanes_of_row>(stream, a, v, errors);
    check_launch("measure_errors, residuals");
    const dim3 grid(parts(a.n, threads_per_block), static_cast<unsigned>(v.rhs));
    launch<S, quotient_kernel<S>>(stream, {grid, threads_per_block}, a, v, errors);
    check_launch("measure_errors, quotients");
}

#define FROND_INSTANTIATE(T)                                                                  \
    template void measure_errors<DeviceScalar<T>>(Stream, const SystemView<DeviceScalar<T>>&, \
                                                  const RefinementVectors<DeviceScalar<T>>&, ErrorBits*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
