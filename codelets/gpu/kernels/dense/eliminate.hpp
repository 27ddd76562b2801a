// SPDX-License-Identifier: BSD-3-Clause
// Elimination of many fronts at once, by steps of at most step_columns pivots each: the diagonal block of
// every front, then the rows and columns behind it, then what they leave: after each step in the rest of its
// block of columns, after the last of a block in the rest of the block around that, behind this after its last.
// A pivot is searched for inside its diagonal block, after bring_pivot_rows.hpp has brought rows there from behind it,
// where that was asked for (L U). Where that finds none, or an |l_ij| is above the bound, the
// answer says so, and the fronts are of no use: the caller does them in another way. The elimination goes on all the
// same, so that fronts above tell, too: without a column that found no pivot, and with those that passed the bound.
#pragma once

#include "device_scalar.hpp"
#include "frond/base/types.hpp"
#include "kernels/double_bits.hpp"
#include "vendor.hpp"

namespace frond::gpu {

inline constexpr index_t step_columns = 32;
/// The widths of blocks of steps, and of blocks of these: what is behind them is read and written once for so many
/// columns.
inline constexpr index_t block_columns = 128, outer_block_columns = 512;

/// What is known of a pivot that failed, zeros of others. partner: the largest entry of its column behind the diagonal
/// block, the bits of its size as float above those of its row in the front; 0: there is none.
struct PivotMark {
    static constexpr unsigned passed_bound = 1, excluded = 2;
    unsigned long long partner;
    unsigned how;
};

struct RowSwaps;
struct PivotSelection;

/// A front as one column-major matrix in device memory. Symmetric kinds: the lower triangle. On exit the
/// first npiv columns hold L (L D L^T: 1 on the diagonal; L U: U11 above it), the rows behind them what is
/// left; L U: the first npiv rows hold U. Symmetric kinds use the rest of the upper triangle as scratch.
template <class T>
struct DenseFront {
    T* data = nullptr;  // [order, order]
    count_t ld = 0;
    index_t order = 0, npiv = 0;
    T* pivots = nullptr;  // [2, npiv], L D L^T and L D L^H: as of cpu::factor_ldlt
    index_t* perm = nullptr;  // [npiv], not L L^T: as of cpu::factor_lu
    PivotMark* marks = nullptr;  // [npiv] or null, not L L^T: of pivots that failed, in their order
    // Where rows are brought to diagonal blocks, else null: the row that was brought to each position, before the order
    // inside blocks, [npiv]; what is exchanged in one step.
    index_t* row_of = nullptr;
    RowSwaps* swaps = nullptr;
    PivotSelection* selections = nullptr;  // [pivot_selections(rows of its largest search)]
    // Columns [first, columns()) are in memory, at their positions in the whole; steps are for those with npiv columns.
    index_t first = 0, missing = 0;

    FROND_DEVICE index_t columns() const { return order - missing; }
};

/// Columns column .. column + width of a front, and the blocks of threads it has in the step's launches:
/// those from first_solve on, first_update on, up to those of the next front.
struct FrontStep {
    index_t front = 0, column = 0, width = 0;
    index_t left = 0;  // from here on L left of the step is brought to its pivot order
    // The update multiplies columns [first_factor, end()) and changes columns (L U: and rows) [end(), last_target).
    index_t first_factor = 0, last_target = 0;
    unsigned first_solve = 0, first_update = 0;
    index_t search_end = 0;  // pivots may be brought from rows [end(), search_end)

    FROND_DEVICE index_t end() const { return column + width; }
};

/// One step of some fronts: front_steps[first] .. [first + count). The products behind a block of a large front
/// are left to the caller: products[first_product] .. [last_product).
struct StepLaunch {
    index_t first = 0, count = 0;
    unsigned solve_blocks = 0, update_blocks = 0;
    index_t first_product = 0, last_product = 0;
    index_t searched_rows = 0;  // most of a front, among which pivots are searched for; 0: in no front
};

struct EliminateRule {
    Factorization kind = Factorization::lu;
    double smallest_pivot = 0;  // a pivot must be larger
    double bound = 0;  // of |l_ij| (complex: |re| + |im|) below the diagonal blocks
};

/// A rule before the largest entry of the matrix is known: a pivot must be larger than per_largest times that, and than
/// `least`.
struct RelativeRule {
    Factorization kind = Factorization::lu;
    double per_largest = 0, least = 0, bound = 0;
};

/// In device memory, where kernels find the limits of a rule and make the answer: a recorded graph serves all rules.
struct EliminateAnswer {
    EliminateAnswer() = default;
    explicit EliminateAnswer(const EliminateRule& rule) : smallest_pivot(rule.smallest_pivot), bound(rule.bound) {}

    double smallest_pivot = 0, bound = 0;
    index_t failed = 0;
    unsigned long long largest_bits = 0;  // largest |l_ij|, see double_of_bits
    double largest() const { return double_of_bits(largest_bits); }
};

/// Blocks of threads that a step of a front of this order needs, the first `columns` of which are in memory.
unsigned solve_blocks(Factorization kind, index_t order, index_t columns, const FrontStep& step);
template <class T>
unsigned update_blocks(Factorization kind, index_t order, index_t columns, const FrontStep& step);

/// Fronts, front_steps and answer in device memory; asynchronous on the stream.
template <class T>
void eliminate_step(Stream stream, const DenseFront<T>* fronts, const FrontStep* front_steps, const StepLaunch& launch,
                    Factorization kind, EliminateAnswer* answer);

}  // namespace frond::gpu
