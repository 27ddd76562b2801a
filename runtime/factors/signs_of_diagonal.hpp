// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factors/factors_state.hpp"

namespace frond::detail {

/// Whether every pivot of L D L^T (real symmetric or Hermitian) has the sign of the entry of A on the diagonal where it
/// stands, and a 2 x 2 pivot the signs of its two. That is so in every order of elimination for quasi-definite matrices
/// (Vanderbei 1995), whose pivots may grow without harm, and hardly so where rounding has changed signs.
template <class T>
bool signs_are_those_of_diagonal(const FactorsState<T>& state);

}  // namespace frond::detail
