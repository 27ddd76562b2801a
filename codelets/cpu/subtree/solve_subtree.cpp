// SPDX-License-Identifier: BSD-3-Clause
// Substitution with the factors of a subtree. Contribution rows are gathered from and scattered to
// the right-hand side itself (supernodal form; Ng & Peyton 1993): no stack of contribution vectors.
#include "chunk_prefetch.hpp"
#include "conjugate_scope.hpp"
#include "front_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"
#include "second_pass_cursor.hpp"
#include "subtree_rows.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// Panels of one front in the chunk.
template <class T>
struct FactoredFront {
    DenseView<const T> panel;
    DenseView<const T> upper;
    const T* pivots;

    FactoredFront(const Front& front, Factorization kind, const T* part) {
        const FrontPanels at = front_panels(front, kind);
        panel = {part + at.panel, front.nfront, front.npiv, front.nfront};
        if (kind == Factorization::lu) upper = {part + at.upper, front.npiv, front.ncb(), front.npiv};
        pivots = part + at.pivots;
    }
};

}  // namespace

template <class T>
void forward_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                     const index_t* perm, const SubtreeSecondPasses<T>* second_passes, DenseView<T> x, DenseView<T> y,
                     T* arena) {
    const AssemblyTree& tree = analysis.tree;
    const Factorization kind = analysis.factorization;
    const SubtreeRows rows(tree, subtree);
    const bool transposed = kind == Factorization::lu && op != Operation::none;
    for (index_t k = 0; k < y.cols; ++k) std::fill_n(y.column(k), y.rows, T(0));
    const bool conjugated = solves_conjugate<T>(kind, op);
    const ConjugateScope<T> scope_x(conjugated, x);
    const ChunkPrefetch<T> prefetch(factor, subtree_factor_scalars(tree, subtree, kind));
    SecondPassCursor<T> fronts_with_failed_pivots(second_passes, true);
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        const FactoredFront<T> part(front, kind, factor);
        prefetch.ahead(factor, front_panels(front, kind).size);
        factor += front_panels(front, kind).size;
        const DenseView<T> x1 = x.block(rows.pivot_row(front), 0, front.npiv, x.cols);
        const FrontVector<T> above(rows, front, x.cols, arena);
        const DenseView<T> t = above.t;
        above.gather(x.as_const(), y.as_const(), false);
        if (const SecondPass<T>* second_pass = fronts_with_failed_pivots.find(f))
            forward_second_pass(kind, op, *second_pass,
                                rows_of_positions(*second_pass, rows.first_position(), front.first_column), x, t);
        else if (transposed)
            forward_front_transposed(part.panel, part.upper, op == Operation::adjoint, x1, t);
        else
            forward_front(kind, part.panel, perm, x1, t);
        above.scatter(x, y);
        perm += front.npiv;
    }
    if (conjugated) conjugate_all(y);
}

template <class T>
void diagonal_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                      const SubtreeSecondPasses<T>* second_passes, DenseView<T> x) {
    const Factorization kind = analysis.factorization;
    if (kind != Factorization::ldlt && kind != Factorization::ldlh) return;
    const SubtreeRows rows(analysis.tree, subtree);
    const ConjugateScope<T> scope_x(solves_conjugate<T>(kind, op), x);
    SecondPassCursor<T> fronts_with_failed_pivots(second_passes, true);
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        const Front& front = analysis.tree.fronts[static_cast<std::size_t>(f)];
        const FactoredFront<T> part(front, kind, factor);
        if (const SecondPass<T>* second_pass = fronts_with_failed_pivots.find(f))
            diagonal_second_pass(kind, *second_pass,
                                 rows_of_positions(*second_pass, rows.first_position(), front.first_column), x);
        else
            diagonal_front(kind, part.pivots, x.block(rows.pivot_row(front), 0, front.npiv, x.cols));
        factor += front_panels(front, kind).size;
    }
}

template <class T>
void backward_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                      const index_t* perm, const SubtreeSecondPasses<T>* second_passes, DenseView<T> x,
                      DenseView<const T> y, T* arena) {
    const AssemblyTree& tree = analysis.tree;
    const Factorization kind = analysis.factorization;
    const SubtreeRows rows(tree, subtree);
    const bool transposed = kind == Factorization::lu && op != Operation::none;
    const bool conjugated = solves_conjugate<T>(kind, op);
    const ConjugateScope<T> scope_x(conjugated, x);
    const count_t scalars = subtree_factor_scalars(tree, subtree, kind);
    const ChunkPrefetch<T> prefetch(factor, scalars);
    SecondPassCursor<T> fronts_with_failed_pivots(second_passes, false);
    factor += scalars;
    perm += rows.columns();
    for (index_t f = subtree.root_front; f >= subtree.first_front; --f) {
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        factor -= front_panels(front, kind).size;
        perm -= front.npiv;
        const FactoredFront<T> part(front, kind, factor);
        prefetch.behind(factor, front_panels(front, kind).size);
        const DenseView<T> x1 = x.block(rows.pivot_row(front), 0, front.npiv, x.cols);
        const FrontVector<T> above(rows, front, x.cols, arena);
        const DenseView<T> t = above.t;
        above.gather(x.as_const(), y, conjugated);
        if (const SecondPass<T>* second_pass = fronts_with_failed_pivots.find(f))
            backward_second_pass(kind, op, *second_pass,
                                 rows_of_positions(*second_pass, rows.first_position(), front.first_column),
                                 t.as_const(), x);
        else if (transposed)
            backward_front_transposed(part.panel, perm, op == Operation::adjoint, t.as_const(), x1);
        else
            backward_front(kind, part.panel, part.upper, perm, t.as_const(), x1);
    }
}

#define FROND_INSTANTIATE(T)                                                                                \
    template void forward_subtree<T>(const Analysis&, const Subtree&, Operation, const T*, const index_t*,  \
                                     const SubtreeSecondPasses<T>*, DenseView<T>, DenseView<T>, T*);        \
    template void diagonal_subtree<T>(const Analysis&, const Subtree&, Operation, const T*,                 \
                                      const SubtreeSecondPasses<T>*, DenseView<T>);                         \
    template void backward_subtree<T>(const Analysis&, const Subtree&, Operation, const T*, const index_t*, \
                                      const SubtreeSecondPasses<T>*, DenseView<T>, DenseView<const T>, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
