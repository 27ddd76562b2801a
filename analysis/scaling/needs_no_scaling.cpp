// SPDX-License-Identifier: BSD-3-Clause
#include "magnitudes.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <cmath>
#include <limits>

namespace frond {
namespace {

/// The lower triangle is stored: a_jj is the first entry of column j, if it is there.
template <class T>
int diagonal_exponent(const SparseMatrix<T>& a, index_t j) {
    const std::size_t e = at(a.pattern.begin[at(j)]);
    const bool is_there = a.pattern.begin[at(j)] < a.pattern.begin[at(j) + 1] && a.pattern.row[e] == j;
    return is_there ? exponent_of(a.value[e]) : exponent_of_zero;
}

/// exponent(j) for j in [0, n), on the workers where there are many.
template <class Exponent>
ExponentRange range_of(count_t n, const Exponent& exponent, const ParallelFor& parallel_for) {
    constexpr count_t in_chunk = 1 << 16;
    const count_t chunks = n / in_chunk + 1;
    std::vector<ExponentRange> part(at(chunks), ExponentRange{exponent_of_infinity, exponent_of_zero});
    const auto look = [&](count_t c) {
        for (count_t j = n * c / chunks; j < n * (c + 1) / chunks; ++j) part[at(c)].see(exponent(j));
    };
    if (parallel_for && chunks > 1)
        parallel_for(chunks, look);
    else
        for (count_t c = 0; c < chunks; ++c) look(c);
    ExponentRange range = part.front();
    for (const ExponentRange& p : part) range.see(p);
    return range;
}

template <class T>
ExponentRange range_of_diagonal(const SparseMatrix<T>& a, const ParallelFor& parallel_for) {
    return range_of(
        a.cols(), [&](count_t j) { return diagonal_exponent(a, static_cast<index_t>(j)); }, parallel_for);
}

bool may_need_no_scaling(const Analysis& analysis, bool pivots_as_they_come) {
    return analysis.options.scaling == ScalingMethod::automatic && analysis.factorization != Factorization::lu &&
           (analysis.factorization == Factorization::llt || pivots_as_they_come);
}

}  // namespace

template <class T>
ExponentRange exponent_range(std::span<const T> numbers, const ParallelFor& parallel_for) {
    const auto n = static_cast<count_t>(numbers.size());
    return range_of(
        n, [&](count_t k) { return exponent_of(numbers[at(k)]); }, parallel_for);
}

template <class T>
bool needs_no_scaling(const ExponentRange& diagonal, const Analysis& analysis, bool pivots_as_they_come) {
    constexpr int limit = sizeof(real_t<T>) == sizeof(double) ? 200 : 20, most_apart = 8;
    if (!may_need_no_scaling(analysis, pivots_as_they_come) || diagonal.is_empty()) return false;
    const bool in_range = diagonal.least >= -limit && diagonal.most <= limit;
    return in_range && (analysis.factorization == Factorization::llt || diagonal.most - diagonal.least <= most_apart);
}

template <class T>
bool needs_no_scaling(const SparseMatrix<T>& a, const Analysis& analysis, bool pivots_as_they_come,
                      const ParallelFor& parallel_for) {
    return may_need_no_scaling(analysis, pivots_as_they_come) &&
           needs_no_scaling<T>(range_of_diagonal(a, parallel_for), analysis, pivots_as_they_come);
}

template <class T>
std::vector<double> scale_of_unknowns(const SparseMatrix<T>& a) {
    constexpr int alike = 4;
    const ExponentRange diagonal = range_of_diagonal(a, {});
    if (diagonal.most - diagonal.least < alike) return {};
    std::vector<double> scale(at(a.cols()), 1.0);
    for (index_t j = 0; j < a.cols(); ++j) {
        const int exponent = diagonal_exponent(a, j);
        if (std::abs(exponent) < exponent_of_infinity) scale[at(j)] = std::ldexp(1.0, -(exponent / 2));
    }
    return scale;
}

#define FROND_INSTANTIATE(T)                                                                              \
    template ExponentRange exponent_range<T>(std::span<const T>, const ParallelFor&);                     \
    template bool needs_no_scaling<T>(const ExponentRange&, const Analysis&, bool);                       \
    template bool needs_no_scaling<T>(const SparseMatrix<T>&, const Analysis&, bool, const ParallelFor&); \
    template std::vector<double> scale_of_unknowns<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
