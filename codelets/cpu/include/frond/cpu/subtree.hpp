// SPDX-License-Identifier: BSD-3-Clause
// A whole subtree of the assembly tree by sequential multifrontal code on plain memory.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/kept_scaling.hpp"
#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/cpu/second_pass.hpp"
#include "frond/cpu/stop_flags.hpp"

#include <vector>

namespace frond::cpu {

/// Scalars of the factor chunk of a subtree: sum of front_panels(f).size over its fronts.
count_t subtree_factor_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind);

/// Scalars of the arena that factor_subtree needs besides the chunk and the root's contribution block:
/// contribution stack, kernel workspace.
count_t subtree_arena_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind);

/// What threshold pivoting adds to the factors of a subtree. A front has failed pivots when its first pass rejects
/// a pivot or a child delays columns to it: then all its columns, own and delayed, go through the
/// second pass (second_pass.hpp), and the chunk holds an identity for it.
template <class T>
struct SubtreeSecondPasses {
    struct FrontWithFailedPivots {
        index_t front = -1;
        bool tried_pivots = false;  // the first pass factored the pivot block and gave up,
        bool tried_rows = false;  // after the rows below it were solved for
        SecondPass<T> second_pass;  // own_rows, own_columns empty
    };
    std::vector<FrontWithFailedPivots> fronts;  // ascending
    DelayedColumns<T> delayed;  // of root_front, for its parent

    bool empty() const { return fronts.empty(); }
    count_t bytes() const {
        count_t sum = delayed.bytes();
        for (const FrontWithFailedPivots& front : fronts) sum += front.second_pass.bytes();
        return sum;
    }
};

/// The pivots of a subtree, D apart, which is in the factor chunk.
template <class T>
struct SubtreePivots {
    std::vector<index_t> perm;  // [columns of the subtree], local to each front
    PivotOutcome outcome;
    SubtreeSecondPasses<T> second_passes;
};

/// Factors fronts first_front .. root_front in postorder.
/// entries: scaled values of A in the order of EntryMap, those of the subtree alone (entries[e - begin] belongs to
/// map.row[e], map.column[e]; begin = map.front_begin[first_front]).
/// factor [subtree_factor_scalars] and perm [columns of the subtree, local to each front] are written
/// whole; contribution [ncb, ncb] of the root front (ld = ncb) is written (lower triangle for the
/// symmetric kinds). arena [subtree_arena_scalars] is scratch. No StarPU.
/// Stops early when a flag of `stop` is set (between fronts).
/// report.failed_column, if set, is a global elimination position.
/// second_passes: written whole; with rule.threshold > 0 fronts with failed pivots allocate. Null: static pivoting,
/// whatever rule.threshold; then nothing is allocated. account: counts second_passes->bytes() afterwards, on
/// the way the work blocks of fronts with failed pivots, too.
/// @throws std::bad_alloc, or what the account refuses with
template <class T>
void factor_subtree(const Analysis& analysis, const Subtree& subtree, const T* entries, const PivotRule& rule,
                    T* factor, index_t* perm, DenseView<T> contribution, T* arena, StopFlags stop,
                    SubtreeSecondPasses<T>* second_passes, PivotReport& report, MemoryAccount* account = nullptr);

/// Solves with the factors of a subtree. x [columns of the subtree, nrhs] is the part of the permuted
/// right-hand side that belongs to it (elimination positions first_column(first_front) ...);
/// y [ncb of the root, nrhs]: forward: written with what the subtree contributes to the rows above;
/// backward: read, the solution at those rows. arena: subtree_solve_scalars(…, nrhs) scalars.
/// op: none solves with L (forward) and U or L^T (backward); LU transposed or adjoint: U^T, then L^T.
/// Symmetric kinds whose op(A) is conj(A) (LL^H, LDL^H transposed, LDL^T adjoint) are solved as
/// conj(A^-1 conj(b)): each function conjugates x and y on entry and exit itself, callers need not.
/// second_passes: of factor_subtree, or null. Fronts with failed pivots allocate. Columns handed to the parent: forward
/// leaves x there as the parent's second pass needs it, backward reads the solution there.
count_t subtree_solve_scalars(const AssemblyTree& tree, const Subtree& subtree, index_t nrhs);
template <class T>
void forward_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                     const index_t* perm, const SubtreeSecondPasses<T>* second_passes, DenseView<T> x, DenseView<T> y,
                     T* arena);
template <class T>
void diagonal_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                      const SubtreeSecondPasses<T>* second_passes, DenseView<T> x);
template <class T>
void backward_subtree(const Analysis& analysis, const Subtree& subtree, Operation op, const T* factor,
                      const index_t* perm, const SubtreeSecondPasses<T>* second_passes, DenseView<T> x,
                      DenseView<const T> y, T* arena);

/// scaled [end - begin] := r_i a_ij c_j of the entries begin .. end of the entry map, in its order; mirrored entries of a
/// Hermitian matrix conjugated. given: the values of A, as they were analysed. kept: of this scaling, which is then taken from
/// its exponents; null: nothing is known of it. Returns the largest magnitude, NaN where one is NaN.
template <class T>
real_t<T> scale_entries(const Analysis& analysis, const Scaling& scaling, const KeptScaling* kept, const T* given,
                        count_t begin, count_t end, T* scaled);

}  // namespace frond::cpu
