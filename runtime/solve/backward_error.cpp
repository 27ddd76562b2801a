// SPDX-License-Identifier: BSD-3-Clause
#include "solve/backward_error.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace frond {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// max |x_i|; infinite when an entry is not finite.
template<class T>
double largest_magnitude(const T* x, index_t n) {
    double largest = 0;
    for (index_t i = 0; i < n; ++i) {
        const double size = static_cast<double>(std::abs(x[i]));
        if (!(size <= largest)) largest = size;
        if (std::isnan(size)) return infinity;
    }
    return largest;
}

/// numerator / denominator with 0 / 0 = 0; infinite when the quotient is not a number.
double quotient(double numerator, double denominator) {
    if (numerator == 0) return 0;
    const double q = numerator / denominator;
    return std::isfinite(denominator) && !std::isnan(q) ? q : infinity;
}

/// tau_i / (|op(A)| s ||S^-1 x||_inf + |b|)_i = 1000 n eps (Arioli, Demmel & Duff 1989), at most
/// 1/1000: in single precision the product passes 1 already for n = 8400.
template<class T>
double tiny_share(index_t n) {
    const double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    return std::min(1000.0 * n * eps, 1e-3);
}

} // namespace

template<class T>
LinearSystem<T>::LinearSystem(const SparseMatrix<T>& a, Operation op, ProductOptions products,
                              const std::vector<double>* solution_scale)
    : a_(a), op_(op), products_(std::move(products)) {
    FROND_EXPECTS(a.rows() == a.cols(), "the matrix has " + std::to_string(a.rows()) +
                                            " rows and " + std::to_string(a.cols()) +
                                            " columns; give a square one");
    std::vector<T> x(static_cast<std::size_t>(order()), T(1));
    row_sum_ = absolute_product(x);
    for (const real_t<T> sum : row_sum_) norm_ = std::max(norm_, static_cast<double>(sum));
    if (solution_scale == nullptr || solution_scale->empty()) return;
    FROND_EXPECTS(solution_scale->size() == x.size(),
                  "solution_scale must have one number a column");
    for (const double s : *solution_scale) inverse_scale_.push_back(1 / s);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = T(static_cast<real_t<T>>((*solution_scale)[i]));
    row_sum_ = absolute_product(x);
}

/// |op(A)| |x|
template<class T>
std::vector<real_t<T>> LinearSystem<T>::absolute_product(const std::vector<T>& x) const {
    const index_t n = order();
    std::vector<T> r(x.size());
    std::vector<real_t<T>> w(x.size());
    residual_and_weights(a_, op_, 1, x.data(), n, r.data(), n, r.data(), n, w.data(), n, products_);
    return w;
}

/// ||S^-1 x||_inf
template<class T>
double LinearSystem<T>::scaled_size(const T* x) const {
    if (inverse_scale_.empty()) return largest_magnitude(x, order());
    double largest = 0;
    for (std::size_t i = 0; i < inverse_scale_.size(); ++i) {
        const double size = static_cast<double>(std::abs(x[i])) * inverse_scale_[i];
        if (std::isnan(size)) return infinity;
        largest = std::max(largest, size);
    }
    return largest;
}

template<class T>
void LinearSystem<T>::multiply(const T* x, T* y) const {
    frond::multiply(a_, op_, 1, x, order(), y, order(), products_);
}

template<class T>
void LinearSystem<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r,
                               real_t<T>* w) const {
    residual_and_weights(a_, op_, x.cols, x.data, x.ld, b.data, b.ld, r.data, r.ld, w, order(),
                         products_);
}

template<class T>
void LinearSystem<T>::denominators(const T* x, const T* b, real_t<T>* w) const {
    const double norm_x = scaled_size(x);
    const double tiny = tiny_share<T>(order());
    for (index_t i = 0; i < order(); ++i) {
        const double size_b = static_cast<double>(std::abs(b[i]));
        const double row = static_cast<double>(row_sum_[static_cast<std::size_t>(i)]) * norm_x;
        const double weight = static_cast<double>(w[i]);
        if (weight <= tiny * (row + size_b))
            w[i] = static_cast<real_t<T>>(std::max(weight - size_b, 0.0) + row);
        if (w[i] == 0) w[i] = static_cast<real_t<T>>(size_b);
    }
}

template<class T>
BackwardError LinearSystem<T>::error(const T* x, const T* b, const T* r,
                                     const real_t<T>* denominator) const {
    const double norm_x = largest_magnitude(x, order());
    if (!std::isfinite(norm_x)) return {infinity, infinity};
    BackwardError e;
    e.normwise =
        quotient(largest_magnitude(r, order()), norm_ * norm_x + largest_magnitude(b, order()));
    for (index_t i = 0; i < order(); ++i)
        e.componentwise = std::max(e.componentwise, quotient(static_cast<double>(std::abs(r[i])),
                                                             static_cast<double>(denominator[i])));
    return e;
}

template<class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x,
                                           DenseView<const T> b, DenseView<T> r) {
    const count_t n = system.order();
    const auto w =
        std::make_unique_for_overwrite<real_t<T>[]>(static_cast<std::size_t>(n * x.cols));
    system.residual(x, b, r, w.get());
    std::vector<BackwardError> errors;
    for (index_t k = 0; k < x.cols; ++k) {
        real_t<T>* const wk = w.get() + k * n;
        system.denominators(x.column(k), b.column(k), wk);
        errors.push_back(system.error(x.column(k), b.column(k), r.column(k), wk));
    }
    return errors;
}

#define FROND_INSTANTIATE(T)                                                                       \
    template class LinearSystem<T>;                                                                \
    template std::vector<BackwardError> backward_errors<T>(                                        \
        const LinearSystem<T>&, DenseView<const T>, DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond
