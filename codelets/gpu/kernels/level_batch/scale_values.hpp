// SPDX-License-Identifier: BSD-3-Clause
// Values of a matrix to those that fronts are assembled from. Arrays in device memory; asynchronous on the stream.
#pragma once

#include "frond/base/types.hpp"
#include "kernels/dense/eliminate.hpp"
#include "vendor.hpp"

namespace frond::gpu {

/// Value e is given[source[e]], or of given[~source[e]] the mirrored one. row, column: its original numbers;
/// row_scale null: not scaled.
struct ValueSources {
    const count_t* source = nullptr;
    const index_t *row = nullptr, *column = nullptr;
    const double *row_scale = nullptr, *column_scale = nullptr;
    bool conjugate_mirrored = false;
};

/// value[e] := r_i given_e c_j, in double precision one factor after the other.
/// *largest_bits: those of the largest magnitude (see double_of_bits), raised; NaN is larger than all.
template <class T>
void scale_values(Stream stream, const T* given, const ValueSources& sources, count_t entries, T* value,
                  unsigned long long* largest_bits);

/// *answer := a new one, with the limits of a rule for a matrix whose largest magnitude has these bits (0: counts as 1).
template <class T>
void begin_answer(Stream stream, const RelativeRule& rule, const unsigned long long* largest_bits,
                  EliminateAnswer* answer);

}  // namespace frond::gpu
