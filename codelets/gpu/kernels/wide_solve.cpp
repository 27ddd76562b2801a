// SPDX-License-Identifier: BSD-3-Clause
// The rows behind the diagonal block of a wide step, and for L U the columns: 32 a block of threads, which keeps
// them in shared memory and goes through the windows of the step. Further blocks bring L left of it to its pivot
// order.
#include "check.hpp"
#include "copy_in_rounds.hpp"
#include "step_kernels.hpp"

namespace frond::gpu {
namespace {

constexpr unsigned threads = 128;
/// Entries of a window that 32 threads make.
constexpr index_t each = 8;
constexpr index_t ld_vectors = w + 1, ld_lower = w + 2;

/// Vectors of one block of threads, entry k of vector v at x[k * ld_vectors + v], and what they are solved with.
template <class S>
struct WideSolve {
    const SquareFront<S>& f;
    const FrontStep& step;
    Factorization kind;
    bool upper;
    index_t first_vector, vectors;  // rows (columns) of the front
    S* x;
    S* lower;  // of the window: entry (t, k) at lower[k * ld_lower + t]; inverse diagonal where it is not 1
    index_t lane, group;

    __device__ bool divides() const { return kind == Factorization::llt || (kind == Factorization::lu && !upper); }

    __device__ S* entry(index_t vector, index_t k) const {
        const index_t i = first_vector + vector;
        return f.data + (upper ? step.column + k + i * f.ld : i + (step.column + k) * f.ld);
    }

    /// Entries of the window, in the order of its pivots.
    __device__ void load_vectors(index_t first, index_t n) const {
        const bool permuted = upper || kind == Factorization::ldlt || kind == Factorization::ldlh;
        copy_in_rounds<S>(
            w * w,
            [&](index_t e) {
                const index_t v = upper ? e / w : e % w, t = upper ? e % w : e / w;
                const index_t from = permuted && t < n ? f.perm[step.column + first + t] - step.column : first + t;
                return t < n && v < vectors ? *entry(v, from) : RealOf<S>::make(0);
            },
            [&](index_t e, S value) {
                const index_t v = upper ? e / w : e % w, t = upper ? e % w : e / w;
                x[(first + t) * ld_vectors + v] = value;
            });
    }

    __device__ void load_lower(index_t first, index_t n) const {
        const S* const block = f.data + step.column * (1 + f.ld);
        const bool transposed = kind == Factorization::lu && !upper;
        const bool conjugated = kind == Factorization::llt || kind == Factorization::ldlh;
        const index_t columns = first + w;
        copy_in_rounds<S>(
            w * columns,
            [&](index_t e) {
                const index_t t = transposed ? e / columns : e % w, k = transposed ? e % columns : e / w;
                if (t >= n || k >= first + n) return RealOf<S>::make(0);
                return transposed ? block[k + (first + t) * f.ld] : block[first + t + k * f.ld];
            },
            [&](index_t e, S value) {
                const index_t t = transposed ? e / columns : e % w, k = transposed ? e % columns : e / w;
                if (conjugated) value = conjugate(value);
                if (divides() && t < n && k == first + t) value = RealOf<S>::make(1) / value;
                lower[k * ld_lower + t] = value;
            });
    }

    /// x := diagonal * (x - lower x) for the window: of what is known first, then 8 entries after the other.
    __device__ void solve_window(index_t first, index_t n) const {
        const index_t own = group * each;
        S v[each];
#pragma unroll
        for (index_t q = 0; q < each; ++q) v[q] = x[(first + own + q) * ld_vectors + lane];
#pragma unroll 4
        for (index_t k = 0; k < first; ++k) subtract(v, k, own);
        for (index_t round = 0; round * each < n; ++round) {
            if (group == round) solve_own(v, first, own);
            __syncthreads();
            if (group > round)
                for (index_t k = first + round * each; k < first + (round + 1) * each; ++k) subtract(v, k, own);
        }
    }

    __device__ void subtract(S (&v)[each], index_t k, index_t own) const {
        const S known = x[k * ld_vectors + lane];
#pragma unroll
        for (index_t q = 0; q < each; ++q) v[q] = v[q] - lower[k * ld_lower + own + q] * known;
    }

    __device__ void solve_own(S (&v)[each], index_t first, index_t own) const {
#pragma unroll
        for (index_t q = 0; q < each; ++q) {
            const S* const column = lower + (first + own + q) * ld_lower + own;
            if (divides()) v[q] = v[q] * column[q];
#pragma unroll
            for (index_t p = q + 1; p < each; ++p) v[p] = v[p] - column[p] * v[q];
            x[(first + own + q) * ld_vectors + lane] = v[q];
        }
    }

    /// Entry t of the window for the calling thread's vector; L D L^T: divided by its pivots.
    __device__ S result(index_t first, index_t n, index_t t, const PivotInverses<S>& pivots) const {
        const S* const own = x + (first + t) * ld_vectors + lane;
        S l = *own;
        if (kind == Factorization::llt || kind == Factorization::lu) return l;
        l = l * pivots.own[t];
        if (t > 0) l = l + own[-ld_vectors] * pivots.before[t];
        if (t + 1 < n) l = l + own[ld_vectors] * pivots.after[t];
        return l;
    }

    /// To the front; symmetric kinds: D L^H above the diagonal as well. Returns the largest entry of L.
    __device__ DeviceReal<S> store(index_t first, index_t n, const PivotInverses<S>& pivots) const {
        DeviceReal<S> largest = 0;
        bool ordered = true;
        for (index_t t = group * each; t < (group + 1) * each && t < n && lane < vectors && !upper; ++t) {
            const S l = result(first, n, t, pivots);
            *entry(lane, first + t) = l;
            const auto size = size_1(l);
            ordered = ordered && size >= 0;
            largest = size > largest ? size : largest;
        }
        const bool plain = kind == Factorization::ldlt || kind == Factorization::lu;
        if (kind != Factorization::lu || upper)
            copy_in_rounds<S>(
                w * vectors, [&](index_t e) { return x[(first + e % w) * ld_vectors + e / w]; },
                [&](index_t e, S value) {
                    if (e % w < n)
                        f.data[step.column + first + e % w + (first_vector + e / w) * f.ld] =
                            plain ? value : conjugate(value);
                });
        return ordered ? largest : DeviceReal<S>(INFINITY);
    }
};

/// Rows of the step left of its diagonal block go where their pivots went, 32 columns.
template <class S>
__device__ void permute_left(S* rows, const SquareFront<S>& f, const FrontStep& step, index_t first) {
    S* const from = f.data + step.column + first * f.ld;
    const index_t columns = min(w, step.column - first);
    for (index_t e = static_cast<index_t>(threadIdx.x); e < step.width * columns; e += static_cast<index_t>(threads))
        rows[e] = from[e % step.width + e / step.width * f.ld];
    __syncthreads();
    for (index_t e = static_cast<index_t>(threadIdx.x); e < step.width * columns; e += static_cast<index_t>(threads)) {
        const index_t i = e % step.width, j = e / step.width;
        from[i + j * f.ld] = rows[f.perm[step.column + i] - step.column + j * step.width];
    }
}

template <class S>
__global__ void __launch_bounds__(threads) wide_solve_kernel(StepArguments<S> a) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ PivotInverses<S> pivots;
    const FrontStep step = a.steps[find_step(a.steps, a.count, blockIdx.x, &FrontStep::first_solve)];
    const SquareFront<S> f = a.fronts[step.front];
    S* const x = reinterpret_cast<S*>(memory);
    const index_t rest = f.order - step.end(), chunks = (rest + w - 1) / w;
    const auto chunk = static_cast<index_t>(blockIdx.x - step.first_solve);
    const index_t behind = a.kind == Factorization::lu ? 2 * chunks : chunks;
    if (chunk >= behind) return permute_left(x, f, step, step.left + (chunk - behind) * w);
    const bool upper = chunk >= chunks;
    const index_t begin = (upper ? chunk - chunks : chunk) * w;
    const WideSolve<S> solve{f, step, a.kind, upper, step.end() + begin, min(w, rest - begin),
                             x, x + (step.width + w) * ld_vectors, static_cast<index_t>(threadIdx.x) % w,
                             static_cast<index_t>(threadIdx.x) / w};
    const bool indefinite = a.kind == Factorization::ldlt || a.kind == Factorization::ldlh;
    DeviceReal<S> largest = 0;
    for (index_t k = 0, first = 0; first < step.width; first += step.windows[k++]) {
        const index_t n = step.windows[k];
        solve.load_vectors(first, n);
        solve.load_lower(first, n);
        if (indefinite && static_cast<index_t>(threadIdx.x) < n)
            pivots.load(f.pivots + 2 * (step.column + first), a.kind == Factorization::ldlh,
                        static_cast<index_t>(threadIdx.x));
        __syncthreads();
        solve.solve_window(first, n);
        __syncthreads();
        const DeviceReal<S> size = solve.store(first, n, pivots);
        if (a.kind != Factorization::llt) largest = size > largest ? size : largest;
        __syncthreads();
    }
    report_largest(a, largest);
}

}  // namespace

template <class S>
std::size_t wide_solve_bytes(index_t columns) {
    return static_cast<std::size_t>((columns + w) * (ld_vectors + ld_lower)) * sizeof(S) + sizeof(PivotInverses<S>) + 64;
}

template <class S>
void launch_wide_solve(Stream stream, const StepArguments<S>& a, unsigned blocks, index_t columns) {
    const std::size_t bytes = wide_solve_bytes<S>(columns) - sizeof(PivotInverses<S>) - 64;
    check(FROND_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&wide_solve_kernel<S>),
                                      FROND_GPU(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes)),
          "asking for shared memory");
    wide_solve_kernel<S><<<blocks, threads, bytes, stream>>>(a);
    check_launch("wide_solve");
}

#define FROND_INSTANTIATE(S)                                                                 \
    template std::size_t wide_solve_bytes<S>(index_t);                                      \
    template void launch_wide_solve<S>(Stream, const StepArguments<S>&, unsigned, index_t);
FROND_FOR_EACH_DEVICE_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
