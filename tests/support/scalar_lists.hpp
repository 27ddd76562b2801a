// SPDX-License-Identifier: BSD-3-Clause
// The scalars of this build as a list for TEST_CASE_TEMPLATE_APPLY.
#pragma once

#include <complex>
#include <tuple>

namespace frond::test {

template <bool use, class T>
using IfBuilt = std::conditional_t<use, std::tuple<T>, std::tuple<>>;

using Scalars = decltype(std::tuple_cat(IfBuilt<FROND_SCALAR_S, float>{}, IfBuilt<FROND_SCALAR_D, double>{},
                                        IfBuilt<FROND_SCALAR_C, std::complex<float>>{},
                                        IfBuilt<FROND_SCALAR_Z, std::complex<double>>{}));
/// Those in double precision.
using DoubleScalars =
    decltype(std::tuple_cat(IfBuilt<FROND_SCALAR_D, double>{}, IfBuilt<FROND_SCALAR_Z, std::complex<double>>{}));

}  // namespace frond::test
