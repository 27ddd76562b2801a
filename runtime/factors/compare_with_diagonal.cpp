// SPDX-License-Identifier: BSD-3-Clause
#include "factors/pivots.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/log_product.hpp"

namespace frond::detail {
namespace {

template <class T>
double real_value(T x) {
    return static_cast<double>(std::real(x));
}

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The diagonal of the matrix that was factored.
template <class T>
std::vector<double> scaled_diagonal(const System<T>& system) {
    const SparseMatrix<T>& a = *system.matrix;
    const std::vector<double>& scale = system.scaling->column;
    std::vector<double> diagonal(at(a.cols()), 0);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
            if (a.pattern.row[at(e)] == j)
                diagonal[at(j)] = (scale.empty() ? 1 : scale[at(j)]) * real_value(a.value[at(e)]) *
                                  (scale.empty() ? 1 : scale[at(j)]);
    return diagonal;
}

/// The pair of pivots at d has one of the signs and the other: those of its two eigenvalues, in any order.
template <class T>
bool pair_has_signs(const T* d, int one, int other, bool hermitian) {
    const cpu::PairDeterminant<T> determinant(d[0], d[1], d[2], hermitian);
    if (sign_of(real_value(determinant.factor)) < 0) return one * other < 0;
    return one == other && one == sign_of(real_value(d[0]));
}

void see(DiagonalComparison& result, double pivot, double given, index_t column) {
    result.has_signs = result.has_signs && given != 0 && sign_of(given) == sign_of(pivot);
    const double share = std::abs(pivot) / std::abs(given);
    if (share >= result.least_share) return;
    result.least_share = share;
    result.least_column = column;
}

}  // namespace

template <class T>
DiagonalComparison compare_with_diagonal(const FactorsState<T>& state) {
    const std::vector<double> given = scaled_diagonal(state.system);
    const Factorization kind = state.kind();
    DiagonalComparison result;
    for_each_pivot_block<T>(state.factors, [&](const PivotBlock<T>& b) {
        const auto column = [&](index_t k) {
            return state.analysis->column_order[at(b.first_column + (b.perm != nullptr ? b.perm[k] : k))];
        };
        for (index_t k = 0; k < b.block.cols; ++k) {
            const double before = given[at(column(k))], value = real_value(pivot_value(b, k, kind));
            if (!is_pair(b, k, kind)) {
                see(result, kind == Factorization::llt ? value * value : value, before, column(k));
                continue;
            }
            const int one = sign_of(before), other = sign_of(given[at(column(k + 1))]);
            const bool hermitian = kind == Factorization::ldlh;
            result.has_signs = result.has_signs && pair_has_signs(b.pivots + 2 * at(k), one, other, hermitian);
            ++k;
        }
    });
    return result;
}

#define FROND_INSTANTIATE(T) template DiagonalComparison compare_with_diagonal<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
