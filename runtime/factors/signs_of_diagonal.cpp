// SPDX-License-Identifier: BSD-3-Clause
#include "factors/pivots.hpp"

#include <complex>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/log_product.hpp"

namespace frond::detail {
namespace {

template <class T>
int sign_of(T x) {
    const auto real = std::real(x);
    return real > 0 ? 1 : real < 0 ? -1 : 0;
}

template <class T>
std::vector<signed char> signs_on_diagonal(const SparseMatrix<T>& a) {
    std::vector<signed char> sign(at(a.cols()), 0);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
            if (a.pattern.row[at(e)] == j) sign[at(j)] = static_cast<signed char>(sign_of(a.value[at(e)]));
    return sign;
}

/// The pair of pivots at d has one of the signs and the other: those of its two eigenvalues, in any order.
template <class T>
bool pair_has_signs(const T* d, int one, int other, bool hermitian) {
    const cpu::PairDeterminant<T> determinant(d[0], d[1], d[2], hermitian);
    if (sign_of(determinant.factor) < 0) return one * other < 0;
    return one == other && one == sign_of(d[0]);
}

}  // namespace

template <class T>
bool signs_are_those_of_diagonal(const FactorsState<T>& state) {
    if (!has_block_diagonal(state.kind())) return false;
    const std::vector<signed char> given = signs_on_diagonal(*state.system.matrix);
    const bool hermitian = state.kind() == Factorization::ldlh;
    bool same = true;
    for_each_pivot_block<T>(state.factors, [&](const PivotBlock<T>& b) {
        const auto before = [&](index_t k) -> int {
            return given[at(state.analysis->column_order[at(b.first_column + (b.perm != nullptr ? b.perm[k] : k))])];
        };
        for (index_t k = 0; k < b.block.cols && same; ++k) {
            const T* const d = b.pivots + 2 * at(k);
            if (d[1] == T(0)) {
                same = before(k) != 0 && before(k) == sign_of(d[0]);
            } else {
                same = pair_has_signs(d, before(k), before(k + 1), hermitian);
                ++k;
            }
        }
    });
    return same;
}

#define FROND_INSTANTIATE(T) template bool signs_are_those_of_diagonal<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
