// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/types.hpp"

#include <doctest/doctest.h>

using namespace frond;

TEST_CASE("real_t, is_complex, conjugate and real_part of the four scalars") {
    static_assert(std::is_same_v<real_t<float>, float>);
    static_assert(std::is_same_v<real_t<double>, double>);
    static_assert(std::is_same_v<real_t<std::complex<float>>, float>);
    static_assert(std::is_same_v<real_t<std::complex<double>>, double>);
    static_assert(!is_complex<float> && !is_complex<double>);
    static_assert(is_complex<std::complex<float>> && is_complex<std::complex<double>>);
    CHECK(conjugate(-2.0) == -2.0);
    CHECK(conjugate(std::complex<double>(1, 2)) == std::complex<double>(1, -2));
    CHECK(real_part(3.0f) == 3.0f);
    CHECK(real_part(std::complex<float>(1, 2)) == 1.0f);
}
