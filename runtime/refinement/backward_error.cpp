// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/backward_error.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "refinement/largest_magnitude.hpp"
#include "refinement/row_chunks.hpp"

#include <algorithm>
#include <memory>

namespace frond {
namespace {

/// ||x||, ||S^-1 x||, ||b||, ||r|| in the inf-norm.
struct Norms {
    double x = 0, scaled_x = 0, b = 0, r = 0;
};

struct LargestOfPiece {
    Largest x, scaled_x, b, r;

    void see(const LargestOfPiece& piece) {
        x.see(piece.x);
        scaled_x.see(piece.scaled_x);
        b.see(piece.b);
        r.see(piece.r);
    }
};

template <class T>
DenseView<const T> single_column(const T* x, index_t n) {
    return {x, n, 1, std::max(n, 1)};
}

/// scale: 1 / s, or null.
template <class T>
LargestOfPiece largest_of_piece(const T* x, const T* b, const T* r, const double* scale, count_t begin, count_t end) {
    LargestOfPiece p;
    for (count_t i = begin; i < end; ++i) p.x.see(magnitude(x[i]));
    for (count_t i = begin; i < end; ++i) p.b.see(magnitude(b[i]));
    for (count_t i = begin; i < end; ++i) p.r.see(magnitude(r[i]));
    p.scaled_x = scale == nullptr ? p.x : Largest();
    for (count_t i = begin; scale != nullptr && i < end; ++i) p.scaled_x.see(magnitude(x[i]) * scale[i]);
    return p;
}

template <class T>
std::vector<Norms> norms(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                         DenseView<const T> r) {
    const count_t pieces = row_chunks(system.order());
    const LoopPurpose purpose("error");
    std::vector<LargestOfPiece> piece(static_cast<std::size_t>(pieces * x.cols));
    const std::vector<double>& inverse_scale = system.inverse_solution_scale();
    const double* const scale = inverse_scale.empty() ? nullptr : inverse_scale.data();
    for_row_chunks(system.parallel_for(), system.order(), x.cols,
                   [&](count_t k, count_t begin, count_t end, count_t chunk) {
                       const auto column = static_cast<index_t>(k);
                       piece[static_cast<std::size_t>(chunk)] =
                           largest_of_piece(x.column(column), b.column(column), r.column(column), scale, begin, end);
                   });
    std::vector<Norms> norms;
    for (count_t k = 0; k < x.cols; ++k) {
        LargestOfPiece all;
        for (count_t c = k * pieces; c < (k + 1) * pieces; ++c) all.see(piece[static_cast<std::size_t>(c)]);
        norms.push_back({all.x.value(), all.scaled_x.value(), all.b.value(), all.r.value()});
    }
    return norms;
}

template <class T>
double denominator(const LinearSystem<T>& system, double weight, double size_b, std::size_t i, const Norms& norm) {
    double row = static_cast<double>(system.row_sums()[i]) * norm.x;
    const std::vector<real_t<T>>& scaled = system.scaled_row_sums();
    if (!scaled.empty()) row = std::min(row, static_cast<double>(scaled[i]) * norm.scaled_x);
    return error_denominator(weight, size_b, row, system.tiny());
}

}  // namespace

template <class T>
std::vector<ResidualSizes> residual_sizes(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                          DenseView<const T> r, const real_t<T>* w) {
    const std::vector<Norms> norm = norms(system, x, b, r);
    const index_t n = system.order();
    const LoopPurpose purpose("error");
    const count_t pieces = row_chunks(n);
    std::vector<Largest> piece(static_cast<std::size_t>(pieces * x.cols));
    for_row_chunks(system.parallel_for(), n, x.cols, [&](count_t k, count_t begin, count_t end, count_t chunk) {
        const auto column = static_cast<index_t>(k);
        const T *bk = b.column(column), *rk = r.column(column);
        const real_t<T>* const wk = w + k * n;
        const Norms& of_column = norm[static_cast<std::size_t>(k)];
        Largest p;
        for (count_t i = begin; i < end; ++i)
            p.see(trusted_quotient(magnitude(rk[i]), denominator(system, static_cast<double>(wk[i]), magnitude(bk[i]),
                                                                 static_cast<std::size_t>(i), of_column)));
        piece[static_cast<std::size_t>(chunk)] = p;
    });
    std::vector<ResidualSizes> sizes;
    for (count_t k = 0; k < x.cols; ++k) {
        const Norms& of_column = norm[static_cast<std::size_t>(k)];
        Largest componentwise;
        for (count_t c = k * pieces; c < (k + 1) * pieces; ++c) componentwise.see(piece[static_cast<std::size_t>(c)]);
        sizes.push_back({of_column.x, of_column.b, of_column.r, componentwise.value()});
    }
    return sizes;
}

template <class T>
void make_denominators(const LinearSystem<T>& system, const T* x, const T* b, real_t<T>* w) {
    const auto xv = single_column(x, system.order()), bv = single_column(b, system.order());
    const Norms norm = norms(system, xv, bv, bv)[0];
    const LoopPurpose purpose("error");
    for_row_chunks(system.parallel_for(), system.order(), 1, [&](count_t, count_t begin, count_t end, count_t) {
        for (count_t i = begin; i < end; ++i)
            w[i] = static_cast<real_t<T>>(
                denominator(system, static_cast<double>(w[i]), magnitude(b[i]), static_cast<std::size_t>(i), norm));
    });
}

template <class T>
std::vector<BackwardError> backward_errors(const LinearSystem<T>& system, DenseView<const T> x, DenseView<const T> b,
                                           DenseView<T> r) {
    const auto w = std::make_unique_for_overwrite<real_t<T>[]>(static_cast<std::size_t>(system.order()) *
                                                               static_cast<std::size_t>(x.cols));
    system.residual(x, b, r, w.get());
    std::vector<BackwardError> errors;
    for (const ResidualSizes& size : residual_sizes<T>(system, x, b, r, w.get()))
        errors.push_back(backward_error(size, system.norm()));
    return errors;
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template std::vector<ResidualSizes> residual_sizes<T>(const LinearSystem<T>&, DenseView<const T>,                \
                                                          DenseView<const T>, DenseView<const T>, const real_t<T>*); \
    template void make_denominators<T>(const LinearSystem<T>&, const T*, const T*, real_t<T>*);                      \
    template std::vector<BackwardError> backward_errors<T>(const LinearSystem<T>&, DenseView<const T>,               \
                                                           DenseView<const T>, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
