// SPDX-License-Identifier: BSD-3-Clause
// Operations that a factorization of A solves with conj(A): the right-hand side is conjugated before and after.
#include "frond/base/instantiate.hpp"
#include "frond/base/types.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"
#include "front_vector.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// op(A) = conj(A) for LL^H and LDL^H transposed and LDL^T adjoint; = A for their other two.
template <class T>
bool solves_conjugate(Factorization kind, Operation op) {
    if (!is_complex<T> || kind == Factorization::lu) return false;
    return op == (kind == Factorization::ldlt ? Operation::adjoint : Operation::transpose);
}

template <class T>
void conjugate_all(DenseView<T> x) {
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < x.rows; ++i) x(i, j) = conjugate(x(i, j));
}

/// conj on construction and again on destruction, when asked.
template <class T>
class ConjugateScope {
public:
    ConjugateScope(bool active, DenseView<T> x) : active_(active), x_(x) {
        if (active_) conjugate_all(x_);
    }

    ~ConjugateScope() {
        if (active_) conjugate_all(x_);
    }

    ConjugateScope(const ConjugateScope&) = delete;
    ConjugateScope& operator=(const ConjugateScope&) = delete;

private:
    bool active_;
    DenseView<T> x_;
};

/// Keeps the factors arriving a constant distance ahead of the sweep. The parts of small fronts are
/// too short for the processor to foresee: without this, two thirds of the rate on 2D problems.
/// Always inlined: GCC 12 takes a function that only prefetches for one without effect and drops
/// the calls.
template <class T>
class ChunkPrefetch {
public:
    ChunkPrefetch(const T* chunk, count_t scalars) : begin_(chunk), end_(chunk + scalars) {}

    /// The sweep is at part [size] and goes up. Large parts are foreseen: only what follows is
    /// fetched.
    [[gnu::always_inline]] void ahead(const T* part, count_t size) const {
        fetch(part - begin_ + (size <= largest ? distance : size), part - begin_ + size + distance);
    }

    /// The sweep is at part [size] and goes down.
    [[gnu::always_inline]] void behind(const T* part, count_t size) const {
        fetch(part - begin_ - distance, part - begin_ + (size <= largest ? size - distance : 0));
    }

private:
    static constexpr count_t line = 64 / sizeof(T);
    static constexpr count_t distance = 8192 / sizeof(T);
    static constexpr count_t largest = 32768 / sizeof(T);

    [[gnu::always_inline]] void fetch(count_t first, count_t last) const {
        last = std::min(last, end_ - begin_);
        for (count_t i = std::max(first, count_t{0}); i < last; i += line) __builtin_prefetch(begin_ + i);
    }

    const T* begin_;
    const T* end_;
};

}  // namespace

// Substitution with the factors of a subtree. Contribution rows are gathered from and scattered to
// the right-hand side itself (supernodal form; Ng & Peyton 1993): no stack of contribution vectors.

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
