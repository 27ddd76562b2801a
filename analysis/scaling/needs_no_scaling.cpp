// SPDX-License-Identifier: BSD-3-Clause
#include "exponents.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <cmath>
#include <limits>

namespace frond {
namespace {

struct Range {
    int least = exponent_of_infinity, most = exponent_of_zero;

    void see(int exponent) {
        least = std::min(least, exponent);
        most = std::max(most, exponent);
    }
    void see(const Range& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// The lower triangle is stored: a_jj is the first entry of column j, if it is there.
template <class T>
int diagonal_exponent(const SparseMatrix<T>& a, index_t j) {
    const std::size_t e = at(a.pattern.begin[at(j)]);
    const bool is_there = a.pattern.begin[at(j)] < a.pattern.begin[at(j) + 1] && a.pattern.row[e] == j;
    return is_there ? exponent_of(a.value[e]) : exponent_of_zero;
}

template <class T>
Range range_of_diagonal(const SparseMatrix<T>& a, const ParallelFor& parallel_for) {
    constexpr count_t columns_of_chunk = 1 << 16;
    const count_t n = a.cols(), chunks = n / columns_of_chunk + 1;
    std::vector<Range> part(at(chunks));
    const auto look = [&](count_t c) {
        for (count_t j = n * c / chunks; j < n * (c + 1) / chunks; ++j)
            part[at(c)].see(diagonal_exponent(a, static_cast<index_t>(j)));
    };
    if (parallel_for && chunks > 1)
        parallel_for(chunks, look);
    else
        for (count_t c = 0; c < chunks; ++c) look(c);
    Range range;
    for (const Range& p : part) range.see(p);
    return range;
}

}  // namespace

template <class T>
bool needs_no_scaling(const SparseMatrix<T>& a, const Analysis& analysis, bool pivots_as_they_come,
                      const ParallelFor& parallel_for) {
    constexpr int limit = sizeof(real_t<T>) == sizeof(double) ? 200 : 20, most_apart = 8;
    const bool definite = analysis.factorization == Factorization::llt;
    if (analysis.options.scaling != ScalingMethod::automatic || analysis.factorization == Factorization::lu ||
        !(definite || pivots_as_they_come) || a.cols() == 0)
        return false;
    const Range diagonal = range_of_diagonal(a, parallel_for);
    const bool in_range = diagonal.least >= -limit && diagonal.most <= limit;
    return in_range && (definite || diagonal.most - diagonal.least <= most_apart);
}

template <class T>
std::vector<double> scale_of_unknowns(const SparseMatrix<T>& a) {
    constexpr int alike = 4;
    const Range diagonal = range_of_diagonal(a, {});
    if (diagonal.most - diagonal.least < alike) return {};
    std::vector<double> scale(at(a.cols()), 1.0);
    for (index_t j = 0; j < a.cols(); ++j) {
        const int exponent = diagonal_exponent(a, j);
        if (std::abs(exponent) < exponent_of_infinity) scale[at(j)] = std::ldexp(1.0, -(exponent / 2));
    }
    return scale;
}

#define FROND_INSTANTIATE(T)                                                                              \
    template bool needs_no_scaling<T>(const SparseMatrix<T>&, const Analysis&, bool, const ParallelFor&); \
    template std::vector<double> scale_of_unknowns<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
