// SPDX-License-Identifier: BSD-3-Clause
// A X = B with a known size of X, and how good an X is: in double precision whatever the solver works in.
#pragma once

#include <complex>
#include <type_traits>
#include <vector>

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::bench {

template <class T>
using Single = std::conditional_t<is_complex<T>, std::complex<float>, float>;

/// The same numbers in another precision. @throws std::runtime_error  one is out of its range
template <class To, class From>
std::vector<To> converted(const std::vector<From>& values);
template <class To, class From>
SparseMatrix<To> converted(const SparseMatrix<From>& a);

/// B := A X [n x rhs], x_ij = 1 + ((i + j) mod 7) / 8.
template <class T>
std::vector<T> right_hand_sides(const SparseMatrix<T>& a, index_t rhs);

struct LargestErrors {
    double normwise = 0;
    double componentwise = 0;
};
/// Over all right-hand sides; infinite where X is not finite.
template <class T>
LargestErrors largest_errors(const SparseMatrix<T>& a, const std::vector<T>& x, const std::vector<T>& b, index_t rhs);

}  // namespace frond::bench
