// SPDX-License-Identifier: BSD-3-Clause
// The caller's blocks of right-hand sides and solutions.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/loop_purpose.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/solver.hpp"
#include "system/row_chunks.hpp"

namespace frond {

inline void expect_solvable(FactorStatus status) {
    FROND_EXPECTS(status != FactorStatus::not_positive_definite,
                  "the matrix is not positive definite, or not beyond rounding, so L L^H has no factors; use ldlt or "
                  "automatic");
    FROND_EXPECTS(can_solve_with(status),
                  "elimination left the range of the numbers, so there are no factors; take scaling = automatic, or "
                  "scale the matrix");
}

/// What a solve asks of its factors, blocks and options.
inline void expect_solve(const FactorReport& factors, count_t b_cols, count_t x_cols, const SolveOptions& options) {
    expect_solvable(factors.status);
    FROND_EXPECTS(b_cols == x_cols, "B has " + std::to_string(b_cols) + " columns, X has " + std::to_string(x_cols) +
                                        "; give both the same number");
    FROND_EXPECTS(options.memory_budget_bytes >= 0,
                  "memory_budget_bytes of a solve is negative; give bytes, or 0 for the default");
    FROND_EXPECTS(options.max_refinement_steps >= 0, "max_refinement_steps is negative; give 0 or more");
    FROND_EXPECTS(!options.forward_error || options.part == SolvePart::all,
                  "forward_error is for whole solves; take part = all");
}

template <class T, class U>
DenseView<U> checked_view(const BlockView<U>& v, index_t n, const char* name) {
    FROND_EXPECTS(v.rows == n, std::string(name) + " has " + std::to_string(v.rows) + " rows, the matrix has order " +
                                   std::to_string(n) + "; give it as many rows");
    const count_t ld = v.ld == 0 ? v.rows : v.ld;
    FROND_EXPECTS(ld >= v.rows, std::string(name) + " has ld = " + std::to_string(ld) +
                                    " below its rows; give at least " + std::to_string(v.rows));
    FROND_EXPECTS(v.cols >= 0 && v.cols <= std::numeric_limits<index_t>::max() &&
                      ld <= std::numeric_limits<index_t>::max(),
                  std::string(name) + " is larger than 2^31 - 1 in one direction; give fewer right-hand sides at once");
    FROND_EXPECTS(v.data != nullptr || v.rows == 0 || v.cols == 0, std::string(name) + " is null; give its memory");
    return {v.data, n, static_cast<index_t>(v.cols), static_cast<index_t>(std::max<count_t>(ld, 1))};
}

/// Sums of 0 x, which is 0 for a finite x and else NaN, in lanes: so that compilers use vectors.
template <class T>
bool are_finite(const T* x, count_t count) {
    using R = real_t<T>;
    const auto* const part = reinterpret_cast<const R*>(x);
    const count_t parts = count * (is_complex<T> ? 2 : 1);
    R a = 0, b = 0, c = 0, d = 0;
    count_t k = 0;
    for (; k + 4 <= parts; k += 4) {
        a += part[k] * 0;
        b += part[k + 1] * 0;
        c += part[k + 2] * 0;
        d += part[k + 3] * 0;
    }
    for (; k < parts; ++k) a += part[k] * 0;
    return (a + b) + (c + d) == 0;
}

template <class T>
[[noreturn]] void fail_not_finite(DenseView<const T> b, count_t first_row) {
    for (index_t j = 0; j < b.cols; ++j)
        for (index_t i = 0; i < b.rows; ++i) {
            if (are_finite(b.column(j) + i, 1)) continue;
            const bool is_nan = std::isnan(real_part(b(i, j))) || b(i, j) != b(i, j);
            throw InvalidArgument("entry (" + std::to_string(first_row + i) + ", " + std::to_string(j) + ") of B is " +
                                  (is_nan ? "NaN" : "infinite") +
                                  " (row and column counted from 0); give finite right-hand sides");
        }
    throw InvalidArgument("B has changed during the solve; leave it as it is");
}

/// first_row: of these in the whole block. Reads B once, before X is written.
/// @throws InvalidArgument  with the first entry that is not finite
template <class T>
void expect_finite(DenseView<const T> b, const ParallelFor& parallel_for = {}, count_t first_row = 0) {
    const LoopPurpose purpose("check");
    std::atomic<bool> finite = true;
    for_row_chunks(parallel_for, b.rows, b.cols, [&](count_t j, count_t begin, count_t end, count_t) {
        if (!are_finite(b.column(static_cast<index_t>(j)) + begin, end - begin)) finite = false;
    });
    if (!finite) fail_not_finite(b, first_row);
}

template <class T>
void copy_block(DenseView<const T> from, DenseView<T> to, const ParallelFor& parallel_for = {}) {
    const LoopPurpose purpose("copy");
    for_row_chunks(parallel_for, from.rows, from.cols, [&](count_t j, count_t begin, count_t end, count_t) {
        const T* const source = from.column(static_cast<index_t>(j)) + begin;
        T* const target = to.column(static_cast<index_t>(j)) + begin;
        if (source != target) std::copy_n(source, end - begin, target);
    });
}

}  // namespace frond
