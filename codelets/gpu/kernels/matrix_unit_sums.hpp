// SPDX-License-Identifier: BSD-3-Clause
// Products in double precision by the matrix units of a device: each warp a part of 32 x 32 numbers of a tile, while
// operands of later columns are on their way to shared memory. matrix_units.hpp of the vendor says what a lane holds of
// an operand.
// Complex numbers are pairs of rows, the real part and the imaginary one. So a column of a left operand is two: that of
// memory, and the same times the imaginary unit; pairs of rows of the right operand are as in memory.
#pragma once

#include "frond/base/types.hpp"
#include "matrix_units.hpp"

namespace frond::gpu {

/// Scalars in numbers.
template <class S>
inline constexpr index_t numbers_of = sizeof(S) / sizeof(double);

/// Copies of pairs of numbers must begin at multiples of their size.
__device__ inline bool at_pairs(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

/// Number (i, k) of a complex left operand whose entry (i / 2, k / 2) has these parts in memory: columns 2 k and 2 k + 1
/// are (re, im) and (-im, re).
__device__ inline double part_of_left(const double* entry, index_t i, index_t k, bool conjugated) {
    const index_t part = (i ^ k) & 1;
    const bool negated = part == 1 && ((i & 1) == 0) != conjugated;
    return negated ? -entry[part] : entry[part];
}

/// The part of a warp: sum[p][q] is the product at rows 16 p, columns 8 q of it.
struct MatrixUnitSums {
    index_t row, column, lane;
    double sum[2][4][4] = {};

    /// Four columns of the left operand, four rows of the right.
    struct Factors {
        double a[2][2], b[4];
    };

    /// operands: has numbers left(i, k) and right(k, j).
    template <class Operands>
    __device__ Factors factors(const Operands& operands, index_t k) const {
        const index_t along = lane / 4, own_k = k + lane % 4;
        Factors x;
#pragma unroll
        for (index_t p = 0; p < 2; ++p)
#pragma unroll
            for (index_t e = 0; e < 2; ++e) x.a[p][e] = operands.left(row + 16 * p + 8 * e + along, own_k);
#pragma unroll
        for (index_t q = 0; q < 4; ++q) x.b[q] = operands.right(own_k, column + 8 * q + along);
        return x;
    }

    __device__ void add_product(const Factors& x) {
#pragma unroll
        for (index_t p = 0; p < 2; ++p)
#pragma unroll
            for (index_t q = 0; q < 4; ++q) add_product_16x8x4(sum[p][q], x.a[p], x.b[q]);
    }

    /// Where sum[p][q][e] is in the tile.
    __device__ index_t row_of(index_t p, index_t e) const { return row + 16 * p + lane / 4 + e / 2 * 8; }
    __device__ index_t column_of(index_t q, index_t e) const { return column + 8 * q + 2 * (lane % 4) + e % 2; }
};

/// Adds the product of columns of the left operand and rows of the right one, [first, last). source: load(stage, k)
/// begins to bring those from k on, `columns` at most and zeros beyond; operands(stage) has them afterwards.
/// meanwhile(): done while the first are on their way. By all threads of the block, which have left what was in the
/// stages.
template <class Source, class Meanwhile>
__device__ void add_products(const Source& source, MatrixUnitSums& sums, index_t first, index_t last,
                             Meanwhile meanwhile) {
    constexpr index_t stages = Source::stages, columns = Source::columns, parts = Source::depth / 4;
#pragma unroll
    for (index_t s = 0; s < stages - 1; ++s) {
        if (first + s * columns < last) source.load(s, first + s * columns);
        commit_copies();
    }
    meanwhile();
    wait_for_copies<stages - 2>();
    __syncthreads();
    auto now = sums.factors(source.operands(0), 0);
    for (index_t stage = 0; first < last; first += columns) {
        const index_t next = stage + 1 == stages ? 0 : stage + 1, free = stage == 0 ? stages - 1 : stage - 1;
#pragma unroll
        for (index_t part = 0; part < parts; ++part) {
            if (part == parts - 1) {
                wait_for_copies<stages - 2>();
                __syncthreads();
            }
            const auto later = part == parts - 1 ? sums.factors(source.operands(next), 0)
                                                 : sums.factors(source.operands(stage), 4 * (part + 1));
            if (part == 0) {
                const index_t ahead = first + (stages - 1) * columns;
                if (ahead < last) source.load(free, ahead);
                commit_copies();
            }
            sums.add_product(now);
            now = later;
        }
        stage = next;
    }
}

}  // namespace frond::gpu
