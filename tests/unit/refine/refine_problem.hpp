// SPDX-License-Identifier: BSD-3-Clause
// Small systems whose approximate inverse is a dense matrix made in extended precision.
#pragma once

#include "dense_oracle.hpp"
#include "random_sparse.hpp"
#include "refinement/gmres.hpp"
#include "substitution/host_columns.hpp"
#include "system/backward_error.hpp"
#include "system/sparse_operator.hpp"

#include <limits>

namespace frond::test {

template <class T>
double epsilon_of() {
    return static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

inline DenseMatrix identity(index_t n) {
    DenseMatrix e(n, n);
    for (index_t i = 0; i < n; ++i) e(i, i) = 1;
    return e;
}

inline DenseMatrix inverse_of(const DenseMatrix& a) { return solve_dense(a, identity(a.rows)); }

template <class T>
T narrow(Wide x) {
    if constexpr (is_complex<T>)
        return T(static_cast<real_t<T>>(x.real()), static_cast<real_t<T>>(x.imag()));
    else
        return static_cast<T>(x.real());
}

template <class T>
LinearSystem<T> system_of(const SparseMatrix<T>& a, Operation op, const std::vector<double>* scale = nullptr,
                          ParallelFor parallel_for = {}) {
    return LinearSystem<T>(std::make_shared<const SparseOperator<T>>(a, op, std::move(parallel_for)), scale);
}

/// x := M^-1 x with M^-1 dense, rounded to T at the end.
template <class T>
ApplyBlock<T> apply_dense(const DenseMatrix& inverse) {
    return [inverse](DenseView<T> x) {
        const DenseMatrix y = multiply_add(1, inverse, widened(x), DenseMatrix(x.rows, x.cols));
        for (index_t j = 0; j < x.cols; ++j)
            for (index_t i = 0; i < x.rows; ++i) x(i, j) = narrow<T>(y(i, j));
    };
}

template <class T>
struct Columns {
    Columns(index_t n, index_t nrhs, T fill = T(0))
        : values(static_cast<std::size_t>(n) * static_cast<std::size_t>(nrhs), fill),
          view{values.data(), n, nrhs, n > 0 ? n : 1} {}

    Columns(const Columns&) = delete;
    Columns& operator=(const Columns&) = delete;

    void fill_random(std::uint64_t seed) {
        Random random(seed);
        for (T& v : values) v = random.value<T>();
    }

    std::vector<T> values;
    DenseView<T> view;
};

/// max_i |b - A x|_i / (|A||x| + |b|)_i of one column in extended precision, without the treatment
/// of tiny denominators.
template <class T>
double oracle_error(const DenseMatrix& a, const T* x, const T* b) {
    double worst = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        Wide r = widen(b[i]);
        long double w = std::abs(r);
        for (index_t j = 0; j < a.cols; ++j) {
            r -= a(i, j) * widen(x[j]);
            w += std::abs(a(i, j) * widen(x[j]));
        }
        const double q = w == 0 ? 0 : static_cast<double>(std::abs(r) / w);
        if (!(q <= worst)) worst = q;
    }
    return worst;
}

}  // namespace frond::test
