// SPDX-License-Identifier: BSD-3-Clause
#include "solve/backward_error.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/largest_magnitude.hpp"
#include "solve/row_chunks.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace frond {
namespace {

template <class T>
DenseView<const T> single_column(const T* x, index_t n) {
    return {x, n, 1, std::max(n, 1)};
}

}  // namespace

template <class T>
double tiny_share(index_t n) {
    const double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
    return std::min(1000.0 * n * eps, 1e-3);
}

template <class T>
LinearSystem<T>::LinearSystem(const SparseMatrix<T>& a, Operation op, ProductOptions products,
                              const std::vector<double>* solution_scale)
    : a_(a), op_(op), products_(std::move(products)), tiny_(tiny_share<T>(a.rows())) {
    FROND_EXPECTS(a.rows() == a.cols(), "the matrix has " + std::to_string(a.rows()) + " rows and " +
                                            std::to_string(a.cols()) + " columns; give a square one");
    if (products_.plan == nullptr) {
        plan_ = plan_products(a.pattern);
        products_.plan = &plan_;
    }
    const auto n = static_cast<std::size_t>(order());
    const bool scaled = solution_scale != nullptr && !solution_scale->empty();
    FROND_EXPECTS(!scaled || solution_scale->size() == n, "solution_scale must have one number a column");
    for (std::size_t i = 0; scaled && i < n; ++i) inverse_scale_.push_back(1 / (*solution_scale)[i]);
    if (scaled)
        set_row_sums<true>(solution_scale->data());
    else
        set_row_sums<false>(nullptr);
    for (const real_t<T> sum : row_sum_) norm_ = std::max(norm_, static_cast<double>(sum));
}

/// |op(A)| e, and |op(A)| s. On this thread and in one pass: it runs beside a factorization, whose memory and workers
/// it leaves alone.
template <class T>
template <bool is_scaled>
void LinearSystem<T>::set_row_sums(const double* s) {
    struct Sums {
        double plain = 0, scaled = 0;
    };
    const Pattern& p = a_.pattern;
    const bool mirrored = a_.symmetry != Symmetry::general, transposed = op_ != Operation::none;
    std::vector<Sums> sums(static_cast<std::size_t>(order()));
    const auto add = [s](Sums& sum, double size, std::size_t j) {
        sum.plain += size;
        if constexpr (is_scaled) sum.scaled += size * s[j];
    };
    for (std::size_t j = 0; j < sums.size(); ++j)
        for (auto e = static_cast<std::size_t>(p.begin[j]); e < static_cast<std::size_t>(p.begin[j + 1]); ++e) {
            const auto i = static_cast<std::size_t>(p.row[e]);
            const double size = magnitude(a_.value[e]);
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
    frond::multiply(a_, op_, 1, x, order(), y, order(), products_);
}

template <class T>
void LinearSystem<T>::residual(DenseView<const T> x, DenseView<const T> b, DenseView<T> r, real_t<T>* w) const {
    residual_and_weights(a_, op_, x.cols, x.data, x.ld, b.data, b.ld, r.data, r.ld, w, order(), products_);
}

template <class T>
auto LinearSystem<T>::sizes(DenseView<const T> x, DenseView<const T> b, DenseView<const T> r) const
    -> std::vector<Sizes> {
    struct Piece {
        Largest x, scaled_x, b, r;
    };

    const count_t pieces = row_chunks(order());
    std::vector<Piece> piece(static_cast<std::size_t>(pieces * x.cols));
    const double* const scale = inverse_scale_.empty() ? nullptr : inverse_scale_.data();
    for_row_chunks(parallel_for(), order(), x.cols, [&](count_t k, count_t begin, count_t end, count_t chunk) {
        const auto column = static_cast<index_t>(k);
        const T *xk = x.column(column), *bk = b.column(column), *rk = r.column(column);
        Piece p;
        for (count_t i = begin; i < end; ++i) p.x.see(magnitude(xk[i]));
        for (count_t i = begin; i < end; ++i) p.b.see(magnitude(bk[i]));
        for (count_t i = begin; i < end; ++i) p.r.see(magnitude(rk[i]));
        p.scaled_x = scale == nullptr ? p.x : Largest();
        for (count_t i = begin; scale != nullptr && i < end; ++i) p.scaled_x.see(magnitude(xk[i]) * scale[i]);
        piece[static_cast<std::size_t>(chunk)] = p;
    });
    std::vector<Sizes> sizes;
    for (count_t k = 0; k < x.cols; ++k) {
        Piece all;
        for (count_t c = k * pieces; c < (k + 1) * pieces; ++c) {
            const Piece& p = piece[static_cast<std::size_t>(c)];
            all.x.see(p.x);
            all.scaled_x.see(p.scaled_x);
            all.b.see(p.b);
            all.r.see(p.r);
        }
        sizes.push_back({all.x.value(), all.scaled_x.value(), all.b.value(), all.r.value()});
    }
    return sizes;
}

/// tau_i = tiny (t_i + |b_i|).
template <class T>
double LinearSystem<T>::denominator(double weight, double size_b, std::size_t i, const Sizes& size) const {
    double row = static_cast<double>(row_sum_[i]) * size.x;
    if (!scaled_row_sum_.empty()) row = std::min(row, static_cast<double>(scaled_row_sum_[i]) * size.scaled_x);
    const double large = std::max(weight - size_b, 0.0) + row;
    const double chosen = weight > tiny_ * (row + size_b) ? weight : large;
    return chosen == 0 ? size_b : chosen;
}

template <class T>
std::vector<BackwardError> LinearSystem<T>::errors(DenseView<const T> x, DenseView<const T> b, DenseView<const T> r,
                                                   const real_t<T>* w) const {
    const std::vector<Sizes> size = sizes(x, b, r);
    const count_t pieces = row_chunks(order());
    std::vector<Largest> piece(static_cast<std::size_t>(pieces * x.cols));
    for_row_chunks(parallel_for(), order(), x.cols, [&](count_t k, count_t begin, count_t end, count_t chunk) {
        const auto column = static_cast<index_t>(k);
        const T *bk = b.column(column), *rk = r.column(column);
        const real_t<T>* const wk = w + k * order();
        const Sizes& of_column = size[static_cast<std::size_t>(k)];
        Largest p;
        for (count_t i = begin; i < end; ++i)
            p.see(trusted_quotient(magnitude(rk[i]), denominator(static_cast<double>(wk[i]), magnitude(bk[i]),
                                                                 static_cast<std::size_t>(i), of_column)));
        piece[static_cast<std::size_t>(chunk)] = p;
    });
    std::vector<BackwardError> errors;
    for (count_t k = 0; k < x.cols; ++k) {
        const Sizes& s = size[static_cast<std::size_t>(k)];
        Largest normwise, componentwise;
        normwise.see(std::isfinite(s.x) ? trusted_quotient(s.r, norm_ * s.x + s.b) : s.x);
        componentwise.see(std::isfinite(s.x) ? 0 : s.x);
        for (count_t c = k * pieces; c < (k + 1) * pieces; ++c) componentwise.see(piece[static_cast<std::size_t>(c)]);
        errors.push_back({normwise.value(), componentwise.value()});
    }
    return errors;
}

template <class T>
void LinearSystem<T>::make_denominators(const T* x, const T* b, real_t<T>* w) const {
    const auto xv = single_column(x, order()), bv = single_column(b, order());
    const Sizes size = sizes(xv, bv, bv)[0];
    for_row_chunks(parallel_for(), order(), 1, [&](count_t, count_t begin, count_t end, count_t) {
        for (count_t i = begin; i < end; ++i)
            w[i] = static_cast<real_t<T>>(
                denominator(static_cast<double>(w[i]), magnitude(b[i]), static_cast<std::size_t>(i), size));
    });
}

template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r) {
    const auto w = std::make_unique_for_overwrite<real_t<T>[]>(static_cast<std::size_t>(system.order()) *
                                                               static_cast<std::size_t>(x.cols));
    system.residual(x, b, r, w.get());
    return system.errors(x, b, r, w.get());
}

#define FROND_INSTANTIATE(T)                                                                           \
    template double tiny_share<T>(index_t);                                                            \
    template class LinearSystem<T>;                                                                    \
    template std::vector<BackwardError> backward_errors<T>(const LinearSystem<T>&, DenseView<const T>, \
                                                           DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
