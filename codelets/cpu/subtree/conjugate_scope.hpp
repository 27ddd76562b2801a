// SPDX-License-Identifier: BSD-3-Clause
// Operations that a factorization of A solves with conj(A): the right-hand side is conjugated before and after.
#pragma once

#include "frond/cpu/kernels.hpp"

namespace frond::cpu {

/// op(A) = conj(A) for LL^H and LDL^H transposed and LDL^T adjoint; = A for their other two.
template <class T>
bool solves_conjugate(Factorization kind, Operation op) {
    if (!is_complex<T> || kind == Factorization::lu) return false;
    return op == (kind == Factorization::ldlt ? Operation::adjoint : Operation::transpose);
}

template <class T>
void conjugate_all(DenseView<T> x) {
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < x.rows; ++i) x(i, j) = conjugate(x(i, j));
}

/// conj on construction and again on destruction, when asked.
template <class T>
class ConjugateScope {
public:
    ConjugateScope(bool active, DenseView<T> x) : active_(active), x_(x) {
        if (active_) conjugate_all(x_);
    }

    ~ConjugateScope() {
        if (active_) conjugate_all(x_);
    }

    ConjugateScope(const ConjugateScope&) = delete;
    ConjugateScope& operator=(const ConjugateScope&) = delete;

private:
    bool active_;
    DenseView<T> x_;
};

}  // namespace frond::cpu
