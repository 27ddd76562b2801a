// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "divide_by_pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "pivoting/static_perturbation.hpp"

namespace frond::cpu {

namespace {

/// alpha = (1 + sqrt 17) / 8: the growth of one 2x2 step equals that of two 1x1 steps
/// (Bunch & Kaufman 1977, section 2).
constexpr double alpha = 0.6403882032022076;

/// Right-looking factorization of a lower triangle with rook pivoting
/// (Ashcraft, Grimes & Lewis 1998, section 4).
template <class T>
class RookFactorization {
public:
    using Real = real_t<T>;
    RookFactorization(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots,
                      index_t* perm)
        : a_(a), hermitian_(hermitian && is_complex<T>), pivots_(pivots), perm_(perm),
          counter_(rule, !is_complex<T> || hermitian) {}

    void run(PivotReport& report) {
        const index_t n = a_.cols;
        std::iota(perm_, perm_ + n, 0);
        for (index_t k = 0; k < n;) {
            const Choice choice = choose(k);
            swap(k, choice.first);
            if (choice.second >= 0) {
                swap(k + 1, choice.second == k ? choice.first : choice.second);
                if (eliminate_two(k)) {
                    k += 2;
                    continue;
                }
            }
            eliminate_one(k++);
        }
        counter_.finish(report);
    }

private:
    struct Choice {
        index_t first, second;
    };

    T get(index_t i, index_t j) const {
        return i >= j ? a_(i, j) : conjugate_if(hermitian_, a_(j, i));
    }
    Real diagonal_magnitude(index_t k) const {
        return hermitian_ ? std::abs(real_part(a_(k, k))) : abs1(a_(k, k));
    }

    /// Largest |a(i, c)|, k <= i < n, i != c.
    index_t largest_in_column(index_t k, index_t c, Real& largest) const {
        index_t at = -1;
        largest = 0;
        for (index_t i = k; i < a_.cols; ++i)
            if (i != c && abs1(get(i, c)) > largest) {
                largest = abs1(get(i, c));
                at = i;
            }
        return at;
    }

    Choice choose(index_t k) const {
        Real column_max = 0, row_max = 0;
        index_t p = k, i = largest_in_column(k, k, column_max);
        if (i < 0 || diagonal_magnitude(k) >= Real(alpha) * column_max) return {k, -1};
        for (index_t step = k; step < a_.cols; ++step) {
            const index_t j = largest_in_column(k, i, row_max);
            if (diagonal_magnitude(i) >= Real(alpha) * row_max) return {i, -1};
            if (j == p || !(row_max > column_max)) break;
            p = i;
            i = j;
            column_max = row_max;
        }
        return {p, i};
    }

    void swap(index_t k, index_t p) {
        if (k == p) return;
        std::swap(perm_[k], perm_[p]);
        std::swap(a_(k, k), a_(p, p));
        for (index_t j = 0; j < k; ++j) std::swap(a_(k, j), a_(p, j));
        for (index_t i = k + 1; i < p; ++i) {
            const T t = a_(i, k);
            a_(i, k) = conjugate_if(hermitian_, a_(p, i));
            a_(p, i) = conjugate_if(hermitian_, t);
        }
        a_(p, k) = conjugate_if(hermitian_, a_(p, k));
        for (index_t i = p + 1; i < a_.cols; ++i) std::swap(a_(i, k), a_(i, p));
    }

    void eliminate_one(index_t k) {
        T d = hermitian_ ? T(real_part(a_(k, k))) : a_(k, k);
        d = counter_.accept(d);
        pivots_[2 * k] = d;
        pivots_[2 * k + 1] = 0;
        a_(k, k) = 1;
        for (index_t j = k + 1; j < a_.cols; ++j) {
            const T ld = conjugate_if(hermitian_, a_(j, k));
            for (index_t i = j; i < a_.cols; ++i) {
                if (ld != T(0)) a_(i, j) -= multiply(a_(i, k) / d, ld);
            }
        }
        for (index_t i = k + 1; i < a_.cols; ++i)
            if (a_(i, k) != T(0)) a_(i, k) /= d;
    }

    bool eliminate_two(index_t k) {
        const T d11 = hermitian_ ? T(real_part(a_(k, k))) : a_(k, k);
        const T d22 = hermitian_ ? T(real_part(a_(k + 1, k + 1))) : a_(k + 1, k + 1);
        const T e = a_(k + 1, k);
        const T determinant = multiply(d11, d22) - multiply(e, conjugate_if(hermitian_, e));
        const Real size = std::max(std::abs(d11), std::abs(d22)) + std::abs(e);
        if (!(std::abs(determinant) >= size * Real(counter_.smallest()))) return false;
        counter_.accept_two_by_two(determinant, d11 + d22);
        pivots_[2 * k] = d11;
        pivots_[2 * k + 1] = e;
        pivots_[2 * k + 2] = d22;
        pivots_[2 * k + 3] = 0;
        const TwoByTwoInverse<T> inverse(d11, e, d22, hermitian_);
        a_(k, k) = a_(k + 1, k + 1) = 1;
        a_(k + 1, k) = 0;
        for (index_t j = k + 2; j < a_.cols; ++j) {
            const T w1 = a_(j, k), w2 = a_(j, k + 1);
            const T l1 = multiply(w1, inverse.a11) + multiply(w2, inverse.a21);
            const T l2 = multiply(w1, inverse.a12) + multiply(w2, inverse.a22);
            const T c1 = conjugate_if(hermitian_, l1), c2 = conjugate_if(hermitian_, l2);
            for (index_t i = j; i < a_.cols; ++i)
                a_(i, j) -= multiply(a_(i, k), c1) + multiply(a_(i, k + 1), c2);
            a_(j, k) = l1;
            a_(j, k + 1) = l2;
        }
        return true;
    }

    DenseView<T> a_;
    bool hermitian_;
    T* pivots_;
    index_t* perm_;
    PivotCounter<T> counter_;
};

}  // namespace

template <class T>
void factor_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots, index_t* perm,
                 T*, PivotReport& report) {
    RookFactorization<T>(a, hermitian, rule, pivots, perm).run(report);
}

count_t factor_ldlt_workspace(index_t n) { return static_cast<count_t>(n) * 64; }

#define FROND_INSTANTIATE(T)                                                                       \
    template void factor_ldlt<T>(DenseView<T>, bool, const PivotRule&, T*, index_t*, T*,           \
                                 PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
