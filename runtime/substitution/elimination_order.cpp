// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/elimination_order.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

/// Rows that a worker takes at once.
constexpr count_t rows_of_a_piece = 1 << 15;

/// Which side of A a vector lives on: its permutation and scaling (null: none).
struct Side {
    const std::vector<index_t>& order;
    const std::vector<double>* scale;
};

template <class T>
Side rows_of(const FactorsState<T>& s) {
    return {s.factors.row_order(), &s.system.scaling->row};
}
template <class T>
Side columns_of(const FactorsState<T>& s) {
    return {s.analysis->column_order, &s.system.scaling->column};
}

/// The first part takes the right-hand side, the last gives the solution; vectors between parts stand
/// where the solution will, not scaled.
template <class T>
Side in_side(const FactorsState<T>& s, const SolveOptions& options) {
    const bool none = options.operation == Operation::none;
    const bool first = options.part == SolvePart::all || options.part == SolvePart::forward;
    if (first) return none ? rows_of(s) : columns_of(s);
    return {none ? s.analysis->column_order : s.factors.row_order(), nullptr};
}
template <class T>
Side out_side(const FactorsState<T>& s, const SolveOptions& options) {
    const Side side = options.operation == Operation::none ? columns_of(s) : rows_of(s);
    const bool last = options.part == SolvePart::all || options.part == SolvePart::backward;
    return {side.order, last ? side.scale : nullptr};
}

template <class T>
T scaled(const Side& side, std::size_t i, T x) {
    const bool unscaled = side.scale == nullptr || side.scale->empty();
    return unscaled ? x : x * static_cast<real_t<T>>((*side.scale)[i]);
}

count_t pieces_of(index_t n) { return std::max<count_t>(1, n / rows_of_a_piece); }

}  // namespace

template <class T>
EliminationOrder<T>::EliminationOrder(const FactorsState<T>& state, const SolveOptions& options)
    : state_(state), options_(options), parallel_for_(parallel_for_on(*state.session, "permutation")) {}

template <class T>
bool EliminationOrder<T>::conjugated() const {
    if (!is_complex<T> || !is_symmetric(state_.kind())) return false;
    const bool complex_symmetric = state_.kind() == Factorization::ldlt;
    return options_.operation == (complex_symmetric ? Operation::adjoint : Operation::transpose);
}

template <class T>
void EliminationOrder<T>::bring_in(DenseView<const T> x, T* work) const {
    const Side side = in_side(state_, options_);
    const bool conj = conjugated();
    const count_t n = x.rows, pieces = pieces_of(x.rows);
    parallel_for_(pieces, [&](count_t c) {
        for (index_t j = 0; j < x.cols; ++j)
            for (count_t k = n * c / pieces; k < n * (c + 1) / pieces; ++k) {
                const index_t i = side.order[at(k)];
                const T value = scaled(side, at(i), x(i, j));
                work[k + j * n] = conj ? conjugate(value) : value;
            }
    });
}

template <class T>
void EliminationOrder<T>::bring_out(const T* work, DenseView<T> x) const {
    const Side side = out_side(state_, options_);
    const bool conj = conjugated();
    const count_t n = x.rows, pieces = pieces_of(x.rows);
    parallel_for_(pieces, [&](count_t c) {
        for (index_t j = 0; j < x.cols; ++j)
            for (count_t k = n * c / pieces; k < n * (c + 1) / pieces; ++k) {
                const index_t i = side.order[at(k)];
                const T value = scaled(side, at(i), work[k + j * n]);
                x(i, j) = conj ? conjugate(value) : value;
            }
    });
}

#define FROND_INSTANTIATE(T) template class EliminationOrder<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
