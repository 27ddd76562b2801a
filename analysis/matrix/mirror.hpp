// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::detail {

/// a_ji from a_ij of a symmetric, Hermitian or skew-symmetric matrix.
template <class T>
T mirrored(T value, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(value);
    return symmetry == Symmetry::skew_symmetric ? -value : value;
}

}  // namespace frond::detail
