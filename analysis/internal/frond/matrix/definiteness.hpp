// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <complex>

#include "frond/base/types.hpp"

namespace frond {

/// What the diagonal and the 2 x 2 minors say of definiteness.
struct Definiteness {
    bool positive_diagonal = false;
    bool possible = false;  // and |a_ij|^2 < a_ii a_jj for all entries
};

/// sqrt(a_ii), 0 where a_ii is not real and positive.
template <class T>
double root_of_diagonal(T a_ii) {
    const double d = static_cast<double>(real_part(a_ii));
    return d > 0 && a_ii == T(real_part(a_ii)) ? std::sqrt(d) : 0.0;
}

/// |a_ij|^2 >= a_ii a_jj, of the roots of both.
template <class T>
bool minor_fails(T a_ij, double root_i, double root_j) {
    return std::abs(a_ij) >= root_i * root_j;
}

}  // namespace frond
