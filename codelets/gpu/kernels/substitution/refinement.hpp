// SPDX-License-Identifier: BSD-3-Clause
// Refinement on the device: vectors in elimination order, not scaled. Asynchronous on the stream.
#pragma once

#include "device_scalar.hpp"
#include "frond/base/types.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// op(A) by rows, rows and columns in elimination order, with what backward errors need (system/backward_error.hpp of
/// the runtime has the formulas). Null: not scaled.
template <class S>
struct SystemView {
    index_t n;
    const count_t* row_begin;
    const index_t* column;
    const S* value;
    const DeviceReal<S>*row_sum, *scaled_row_sum;  // |A| e, |A| s
    const double *inverse_solution_scale, *row_scale, *column_scale;  // 1 / s; of the scaled system
    const index_t *row_order, *column_order;  // original number at each position
    double tiny;  // as LinearSystem's
};

/// Bits of the largest magnitudes (see double_of_bits) of one right-hand side; NaN is larger than all.
struct ErrorBits {
    unsigned long long x, scaled_x, b, r, componentwise, pure, seen, scaled_seen, r_of_row, violated_of_row, b_of_row;
};

/// [n, rhs] each, ld = n; w: weights |A| |x| + |b|.
template <class S>
struct RefinementVectors {
    S *b, *best, *trial, *r;
    DeviceReal<S>* w;
    index_t rhs;
};

/// Which entries are conjugated on their way.
struct Conjugated {
    bool all, mirrored;  // mirrored ones twice where both are set
};

/// value[e] := given[source[e]], mirrored: given[~source[e]]
template <class S>
void gather_values(Stream stream, const S* given, const count_t* source, Conjugated conjugated, count_t entries,
                   S* value);

/// row_sum := |A| e, scaled_row_sum := |A| s (null: not), *norm := the bits of the largest of row_sum. Reads the matrix
/// and 1 / s of the system.
template <class S>
void sum_rows(Stream stream, const SystemView<S>& system, DeviceReal<S>* row_sum, DeviceReal<S>* scaled_row_sum,
              unsigned long long* norm);

/// b := r := given(row_order)                                     given [n, rhs] in original numbers
template <class S>
void take_right_hand_sides(Stream stream, const SystemView<S>& system, const S* given, count_t ld,
                           const RefinementVectors<S>& v);

/// x := row scale * r
template <class S>
void scale_residuals(Stream stream, const SystemView<S>& system, const RefinementVectors<S>& v, S* x);

/// trial := best + column scale * x, or without best
template <class S>
void add_corrections(Stream stream, const SystemView<S>& system, const RefinementVectors<S>& v, bool first, const S* x);

/// r := b - A trial, and *errors [rhs]
template <class S>
void measure_errors(Stream stream, const SystemView<S>& system, const RefinementVectors<S>& v, ErrorBits* errors);

/// Columns q .. q + count of best := those of trial.
template <class S>
void adopt_trial(Stream stream, const SystemView<S>& system, const RefinementVectors<S>& v, index_t q, index_t count);

/// given(column_order) := best
template <class S>
void give_solutions(Stream stream, const SystemView<S>& system, const RefinementVectors<S>& v, S* given, count_t ld);

}  // namespace frond::gpu
