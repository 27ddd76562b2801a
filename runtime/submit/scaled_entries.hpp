// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/host_block.hpp"

namespace frond::detail {

/// Values of Dr A Dc in the order of the entry map, so that assembly reads them one after the other.
template <class T>
struct ScaledEntries {
    HostBlock values;
    double largest = 0;  // max |value|

    const T* data() const noexcept { return static_cast<const T*>(values.data()); }
    T* data() noexcept { return static_cast<T*>(values.data()); }
};

/// @throws InvalidMatrix that names the first value that is not finite
template <class T>
void expect_finite(const SparseMatrix<T>& a);

/// kept: of this scaling, which is then taken from its exponents; null: nothing is known of it.
/// @throws InvalidMatrix when a value is not finite.
template <class T>
ScaledEntries<T> scale_entries(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling,
                               const ParallelFor& parallel_for, const KeptScaling* kept = nullptr);

}  // namespace frond::detail
