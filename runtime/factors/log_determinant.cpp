// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <complex>
#include <type_traits>
#include <unordered_map>

#include "factors/pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/log_product.hpp"

namespace frond::detail {
namespace {

/// Number of transpositions of a permutation, modulo 2.
template <class Perm>
bool is_odd(const Perm& perm, index_t n) {
    std::vector<char> seen(at(n), 0);
    bool odd = false;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = i; seen[at(j)] == 0; j = perm(j)) {
            seen[at(j)] = 1;
            odd ^= perm(j) != i;
        }
    return odd;
}

/// Phase and log of a product of many factors without overflow, in double precision for all scalars.
template <class T>
struct LogProduct {
    using Phase = std::conditional_t<is_complex<T>, std::complex<double>, double>;
    double log_abs = 0;
    Phase phase = 1;

    void multiply(T x) {
        const Phase factor(x);
        const double size = std::abs(factor);
        log_abs += std::log(size);
        phase *= factor / size;
    }
    T unit_phase() const { return static_cast<T>(phase / std::abs(phase)); }
};

/// The first `count` pivots of a block.
template <class T>
void multiply_pivots(const PivotBlock<T>& b, index_t count, Factorization kind, LogProduct<T>& product) {
    for (index_t k = 0; k < count; ++k) {
        if (is_pair(b, k, kind)) {
            const T* pair = b.pivots + 2 * at(k);
            const cpu::PairDeterminant<T> determinant(pair[0], pair[1], pair[2], kind == Factorization::ldlh);
            for (const T part : {determinant.factor, determinant.unit, determinant.unit}) product.multiply(part);
            ++k;
            continue;
        }
        const T value = pivot_value(b, k, kind);
        product.multiply(value);
        if (kind == Factorization::llt) product.multiply(conjugate(value));
    }
}

template <class T>
void multiply_second_pass(const cpu::SecondPass<T>& second_pass, Factorization kind, LogProduct<T>& product) {
    const index_t height = second_pass.rows() + second_pass.ncb;
    const DenseView<const T> panel{second_pass.panel.data(), height, second_pass.kept, std::max(height, 1)};
    multiply_pivots(PivotBlock<T>{0, panel, nullptr, second_pass.pivots.data()}, second_pass.kept, kind, product);
}

/// Whether the renaming of the rows' positions is an odd permutation.
template <class T>
bool renames_oddly(const cpu::SecondPass<T>& second_pass) {
    std::unordered_map<index_t, index_t> place;
    for (std::size_t k = 0; k < second_pass.row_position.size(); ++k)
        place[second_pass.row_position[k]] = static_cast<index_t>(k);
    return is_odd([&](index_t k) { return place.at(second_pass.row_position_after[at(k)]); }, second_pass.rows());
}

}  // namespace

template <class T>
typename Factors<T>::LogDeterminant log_determinant(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    LogProduct<T> product;
    bool odd = false;
    for_each_pivot_block<T>(state.factors, [&](const PivotBlock<T>& b) {
        multiply_pivots(b, b.block.cols, state.kind(), product);
        if (!is_symmetric(state.kind())) odd ^= is_odd([&](index_t i) { return b.perm[i]; }, b.block.cols);
    });
    for_each_second_pass<T>(state.factors, [&](const cpu::SecondPass<T>& second_pass) {
        multiply_second_pass(second_pass, state.kind(), product);
        if (!is_symmetric(state.kind())) odd ^= renames_oddly(second_pass);
    });
    if (!is_symmetric(state.kind())) {
        odd ^= is_odd([&](index_t i) { return state.factors.row_order()[at(i)]; }, analysis.order);
        odd ^= is_odd([&](index_t i) { return analysis.column_order[at(i)]; }, analysis.order);
    }
    for (const double s : state.system.scaling->row) product.log_abs -= std::log(s);
    for (const double s : state.system.scaling->column) product.log_abs -= std::log(s);
    return {product.log_abs, odd ? -product.unit_phase() : product.unit_phase()};
}

#define FROND_INSTANTIATE(T) template typename Factors<T>::LogDeterminant log_determinant<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
