// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/types.hpp"

namespace frond::cpu {

/// scaled [end - begin] := r_i a_ij c_j of the entries begin .. end of the entry map, in its order; mirrored entries of a
/// Hermitian matrix conjugated. given: the values of A, as they were analysed. kept: of this scaling, which is then taken from
/// its exponents; null: nothing is known of it. Returns the largest magnitude, NaN where one is NaN.
template <class T>
real_t<T> scale_entries(const Analysis& analysis, const Scaling& scaling, const KeptScaling* kept, const T* given,
                        count_t begin, count_t end, T* scaled);

}  // namespace frond::cpu
