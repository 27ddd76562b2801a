// SPDX-License-Identifier: BSD-3-Clause
// The scalars of this build as a list for TEST_CASE_TEMPLATE_APPLY.
#pragma once

#include <complex>
#include <tuple>
#include <type_traits>

namespace frond::test {

template <bool use, class T>
using IfBuilt = std::conditional_t<use, std::tuple<T>, std::tuple<>>;

using Scalars = decltype(std::tuple_cat(IfBuilt<FROND_SCALAR_S, float>{}, IfBuilt<FROND_SCALAR_D, double>{},
                                        IfBuilt<FROND_SCALAR_C, std::complex<float>>{},
                                        IfBuilt<FROND_SCALAR_Z, std::complex<double>>{}));
/// Those in double precision.
using DoubleScalars =
    decltype(std::tuple_cat(IfBuilt<FROND_SCALAR_D, double>{}, IfBuilt<FROND_SCALAR_Z, std::complex<double>>{}));

/// One scalar of a list: double, or the first one where it has none.
template <class List>
struct OneOf {
    using Type = std::tuple<>;
};
template <class First, class... Others>
struct OneOf<std::tuple<First, Others...>> {
    static constexpr bool has_double = std::is_same_v<First, double> || (std::is_same_v<Others, double> || ...);
    using Type = std::tuple<std::conditional_t<has_double, double, First>>;
};
template <class List>
using OneScalar = typename OneOf<List>::Type;

/// All the others.
template <class List>
struct ButOneOf;
template <class... All>
struct ButOneOf<std::tuple<All...>> {
    using One = OneScalar<std::tuple<All...>>;
    using Type = decltype(std::tuple_cat(IfBuilt<!std::is_same_v<std::tuple<All>, One>, All>{}...));
};
template <class List>
using OtherScalars = typename ButOneOf<List>::Type;

}  // namespace frond::test
