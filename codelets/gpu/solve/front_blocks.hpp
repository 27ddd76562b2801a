// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/solve_phases.hpp"

namespace frond::gpu {

/// The products of one front's solve, appended to the tables: per step (see SolveSteps) the diagonal block
/// and what is below, above or next to it. Fronts in subtrees have their own columns in pivot order from the
/// gather on; on tiles each tile is brought to its pivot order by its own diagonal step.
template <class T>
class FrontBlocks {
    using S = DeviceScalar<T>;
    using Out = SolvePhases<S>;

public:
    FrontBlocks(const PlacedFactors<T>& factors, const VectorLayout& layout, const SolveSteps& steps,
                const SolveMemory<S>& memory);

    void forward_diagonal(index_t f, count_t s, Out& out) const;  // w := L_ss^-1 P rows
    void forward_below(index_t f, count_t s, Out& out) const;  // rows -= L_is w, i > s
    void divide(index_t f, Out& out) const;  // w := D^-1 w
    void backward_contribution(index_t f, Out& out) const;  // L U: own rows -= U_12 contribution rows
    void backward_above(index_t f, count_t s, Out& out) const;  // L U: rows -= U_is w, i < s
    void backward_transposed(index_t f, count_t s, Out& out) const;  // rows_s -= sum over i > s of L_is^T x_i
    /// w and x := L_ss^-T rows, or U_ss^-1 rows
    void backward_diagonal(index_t f, count_t s, bool lower, Out& out) const;

    // L U, the transposed system.
    void forward_beside(index_t f, count_t s, Out& out) const;  // rows_s -= sum over i < s of U_is^T w_i
    void forward_diagonal_upper(index_t f, count_t s, Out& out) const;  // w := U_ss^-T rows
    void forward_contribution(index_t f, Out& out) const;  // contribution rows -= U_12^T w

private:
    const Front& front(index_t f) const;
    const FrontFactorViews<T>& placed(index_t f) const;
    bool on_tiles(index_t f) const { return placed(f).part == nullptr; }
    /// Row r of the front.
    S* rows(index_t f, index_t r) const;
    S* w(index_t f, index_t column) const;
    S* x(index_t f, index_t column) const;
    /// Block of the factors at local row and column (start of a tile on tiles).
    const S* block(index_t f, index_t row, index_t column, count_t& ld) const;
    /// The end of the block that has row or column r, at the latest `last`. On tiles a tile is a block.
    index_t end_of_block(index_t f, index_t r, index_t last) const;
    /// The pivot order inside step s, where that step applies it; else null.
    const index_t* tile_order(index_t f, count_t s) const;

    void begin_product(Out& out, index_t outputs, bool subtract, S* target, count_t target_ld) const;
    void add_piece(Out& out, const S* matrix, count_t ld, index_t rows, index_t cols, const S* source,
                   count_t source_ld, const index_t* order = nullptr, Shape shape = Shape::full) const;
    /// rows [first, last) of the front -= (block at these rows, column `column`) w, tile by tile on tiles.
    void subtract_products(index_t f, index_t first, index_t last, index_t column, index_t width, Out& out) const;
    /// rows [first, last) of the front -= (block at the own rows [0, own), these columns)^T w.
    void subtract_transposed(index_t f, index_t first, index_t last, index_t own, Out& out) const;
    void add_run(Out& out, const S* pivots, index_t first, index_t count) const;

    const PlacedFactors<T>& factors_;
    const VectorLayout& layout_;
    const SolveSteps& steps_;
    const SolveMemory<S>& memory_;
    Factorization kind_;
};

}  // namespace frond::gpu
