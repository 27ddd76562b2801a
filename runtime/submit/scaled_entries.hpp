// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/base/host_block.hpp"
#include "frond/matrix/operations.hpp"

namespace frond::detail {

/// Values of Dr A Dc in the order of the entry map, so that assembly reads them one after the other.
template <class T>
struct ScaledEntries {
    HostBlock values;
    double largest = 0;  // max |value|

    const T* data() const noexcept { return static_cast<const T*>(values.data()); }
};

/// @throws InvalidMatrix when a value is not finite.
template <class T>
ScaledEntries<T> scale_entries(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling,
                               const ParallelFor& parallel_for);

}  // namespace frond::detail
