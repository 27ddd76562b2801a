// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/linear_system.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "refinement/largest_magnitude.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace frond {

template <class T>
double tiny_share(index_t n) {
    const double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    return std::min(1000.0 * n * eps, 1e-3);
}

template <class T>
LinearSystem<T>::LinearSystem(const SparseMatrix<T>& a, Operation op, ProductOptions products,
                              const std::vector<double>* solution_scale)
    : a_(&a), order_(a.rows()), op_(op), products_(std::move(products)), tiny_(tiny_share<T>(a.rows())) {
    FROND_EXPECTS(a.rows() == a.cols(), "the matrix has " + std::to_string(a.rows()) + " rows and " +
                                            std::to_string(a.cols()) + " columns; give a square one");
    if (products_.plan == nullptr) {
        plan_ = plan_products(a.pattern);
        products_.plan = &plan_;
    }
    begin(solution_scale);
}

template <class T>
LinearSystem<T>::LinearSystem(std::shared_ptr<const DenseOperator<T>> a, ProductOptions products,
                              const std::vector<double>* solution_scale)
    : dense_(std::move(a)), order_(dense_->order()), products_(std::move(products)), tiny_(tiny_share<T>(order_)) {
    begin(solution_scale);
}

template <class T>
void LinearSystem<T>::begin(const std::vector<double>* solution_scale) {
    const auto n = static_cast<std::size_t>(order());
    const bool scaled = solution_scale != nullptr && !solution_scale->empty();
    FROND_EXPECTS(!scaled || solution_scale->size() == n, "solution_scale must have one number a column");
    for (std::size_t i = 0; scaled && i < n; ++i) inverse_scale_.push_back(1 / (*solution_scale)[i]);
    if (dense_) {
        std::vector<double> plain, sums;
        dense_->row_sums(scaled ? solution_scale->data() : nullptr, plain, sums);
        take_row_sums(plain, sums);
    } else if (scaled) {
        set_row_sums<true>(solution_scale->data());
    } else {
        set_row_sums<false>(nullptr);
    }
    for (const real_t<T> sum : row_sum_) norm_ = std::max(norm_, static_cast<double>(sum));
}

template <class T>
void LinearSystem<T>::take_row_sums(const std::vector<double>& plain, const std::vector<double>& scaled) {
    for (const double sum : plain) row_sum_.push_back(static_cast<real_t<T>>(sum));
    for (const double sum : scaled) scaled_row_sum_.push_back(static_cast<real_t<T>>(sum));
}

/// |op(A)| e, and |op(A)| s. On this thread and in one pass: it runs during a factorization, whose memory and workers
/// it leaves alone.
template <class T>
template <bool is_scaled>
void LinearSystem<T>::set_row_sums(const double* s) {
    struct Sums {
        double plain = 0, scaled = 0;
    };
    const Pattern& p = a_->pattern;
    const bool mirrored = a_->symmetry != Symmetry::general, transposed = op_ != Operation::none;
    std::vector<Sums> sums(static_cast<std::size_t>(order()));
    const auto add = [s](Sums& sum, double size, std::size_t j) {
        sum.plain += size;
        if constexpr (is_scaled) sum.scaled += size * s[j];
    };
    for (std::size_t j = 0; j < sums.size(); ++j)
        for (auto e = static_cast<std::size_t>(p.begin[j]); e < static_cast<std::size_t>(p.begin[j + 1]); ++e) {
            const auto i = static_cast<std::size_t>(p.row[e]);
            const double size = magnitude(a_->value[e]);
            if (mirrored || !transposed) add(sums[i], size, j);
            if (mirrored ? i != j : transposed) add(sums[j], size, i);
        }
    row_sum_.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) row_sum_[i] = static_cast<real_t<T>>(sums[i].plain);
    if constexpr (!is_scaled) return;
    scaled_row_sum_.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) scaled_row_sum_[i] = static_cast<real_t<T>>(sums[i].scaled);
}

template <class T>
void LinearSystem<T>::multiply(const T* x, T* y) const {
    const LoopPurpose purpose("product");
    const index_t ld = std::max(order(), 1);
    if (dense_) return dense_->multiply({x, order(), 1, ld}, {y, order(), 1, ld}, products_.parallel_for);
    frond::multiply(*a_, op_, 1, x, order(), y, order(), products_);
}

template <class T>
void LinearSystem<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    const LoopPurpose purpose("residual");
    if (dense_) return dense_->residual(x, b, r, w, products_.parallel_for);
    residual_and_weights(*a_, op_, x.cols, x.data, x.ld, b.data, b.ld, r.data, r.ld, w, order(), products_);
}

#define FROND_INSTANTIATE(T)                \
    template double tiny_share<T>(index_t); \
    template class LinearSystem<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
