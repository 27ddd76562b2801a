// SPDX-License-Identifier: BSD-3-Clause
// Substitution with factors that lie on one device, all at once: no task of its own for each front, but
// products of all fronts of a level in one kernel.
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::gpu {

/// What of a solve is known before the factors are: tables in host memory, O(rows of all fronts).
struct ResidentPlan;
std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis& analysis);

/// The factors of a matrix on one device; no front with columns that a second pass eliminated.
template <class T>
struct PlacedFactors {
    const Analysis* analysis = nullptr;
    std::shared_ptr<const ResidentPlan> plan;
    std::vector<FrontFactorViews<T>> fronts;  // as analysis->tree.fronts
    /// [n] by elimination position, in host memory: pivot order of its front inside a subtree, local to the
    /// front; not read for fronts on tiles. Empty for L L^T.
    std::vector<index_t> pivot_order;
};

/// What a resident solve of `rhs` right-hand sides at once keeps on the device besides the factors.
struct ResidentBytes {
    count_t inverses = 0;  // of the diagonal blocks
    count_t vectors = 0;  // for each right-hand side
    count_t tables = 0;
    count_t phases = 0;  // launches of one solve
};
ResidentBytes resident_bytes(const Analysis& analysis, const ResidentPlan& plan, count_t scalar_bytes);

/// op(A) by rows, both triangles, rows and columns in elimination order: column, and which value of the matrix, or
/// ~which when the entry is mirrored.
struct SystemPattern {
    std::vector<count_t> row_begin;
    LargeVector<index_t> column;
    LargeVector<count_t> source;
};

/// op(A) x = b as refinement needs it, not scaled; and, in elimination order, what LinearSystem of the runtime knows
/// but sums over rows, which the device computes. Empty vectors: not scaled. Rows and columns are those of op(A).
template <class T>
struct SystemByRows {
    std::shared_ptr<const SystemPattern> pattern;
    const std::vector<T>* value = nullptr;
    bool conjugate_mirrored = false, conjugate_all = false;
    const std::vector<index_t>*row_order = nullptr, *column_order = nullptr;
    std::vector<double> inverse_solution_scale, row_scale, column_scale;
    double tiny = 0;
};

/// The sizes for one right-hand side, in the inf-norm; componentwise: max |r_i| / denominator_i, see LinearSystem; pure:
/// max |r_i| / (|op(A)| |x| + |b|)_i; the last three: of the residual, of it in violated rows, and of b, by
/// the sum of the row. NaN is kept.
struct ResidualSizes {
    double x = 0, b = 0, r = 0, componentwise = 0, pure = 0;
    double r_of_row = 0, violated_of_row = 0, b_of_row = 0;
};

/// Which sweeps through the tree: the forward one goes with D.
enum class Sweep : std::uint8_t { both, forward, backward };

/// Vectors of branches of a larger tree, whose roots leave contribution rows to it: rows of several blocks in the host's
/// memory, one below the other, all with as many columns.
template <class T>
struct BranchVectors {
    std::vector<DenseView<T>> own;  // the columns of the branches, in elimination order
    std::vector<DenseView<T>> outside;  // the contribution rows of the roots, root after root
};

/// x := (L U)^-1 x, (L D L^T)^-1 x, (L L^T)^-1 x ... in elimination order. At construction diagonal blocks
/// are inverted (of tiles whole, of fronts in subtrees by 128 columns); a solve reads every other factor
/// entry once forward and once backward. The second solve with as many right-hand sides records its launches, later
/// ones launch the record, until two other numbers of right-hand sides have come.
/// Calls of the device's runtime are made by the calling thread, whose current device is restored.
/// Not for two threads at a time. @throws DeviceError
template <class T>
class ResidentSolve {
public:
    virtual ~ResidentSolve() = default;

    virtual index_t largest_rhs() const noexcept = 0;
    /// Solves with other factors of the same analysis from now on, and with a matrix of the same pattern, which must be
    /// set anew: diagonal blocks are inverted; tables and vectors stay, lists where no factor has moved. After an error
    /// it is of no use.
    virtual void use(PlacedFactors<T> factors) = 0;
    /// The factors may go then, until use() or the end: waits for what was queued. False: the device is lost.
    virtual bool leave_factors() noexcept = 0;
    /// Makes new vectors for so many at once; inverses and matrix stay. After an error it is of no use.
    virtual void grow(index_t largest_rhs) = 0;
    /// The bytes of the matrix and of the lists that solves with its transpose need, as far as they were made.
    virtual count_t system_bytes() const noexcept = 0;
    /// What follows is of op(A): L U; of other kinds none. Makes lists for the first solve with a transpose.
    virtual void choose(Operation op) = 0;
    /// What follows on the device waits for what the application had queued.
    virtual void follow(const CallersStream& stream) = 0;
    /// [n, largest_rhs] in pinned host memory, for solve().
    virtual T* host_vectors() = 0;
    /// x := that, with the first `rhs` columns of host_vectors(), scaled and in elimination order.
    virtual void solve(index_t rhs) = 0;

    /// Takes the memory of the host that the next two ask for.
    virtual void reserve_copies() = 0;
    /// own := D^-1 op(L)^-1 own, to be given to backward() as it is, and outside := what that leaves to the contribution
    /// rows. As many columns as there are.
    /// parallel_for: see set_system.
    virtual void forward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) = 0;
    /// own := the solution there, outside having that at the contribution rows.
    virtual void backward(const BranchVectors<T>& vectors, const ParallelFor& parallel_for) = 0;

    // Refinement without leaving the device. Vectors of the caller are in original numbers and not scaled, in the
    // host's memory or in the device's.
    virtual bool has_system() const noexcept = 0;
    /// parallel_for: who copies what is in pageable memory; here and below.
    virtual void set_system(const SystemByRows<T>& system, const ParallelFor& parallel_for) = 0;
    /// ||op(A)||_inf of it.
    virtual double norm() const noexcept = 0;
    /// b := r := given [n, largest_rhs at most]; as many columns until the next call.
    virtual void take_right_hand_sides(DenseView<const T> given, MemoryPlace place,
                                       const ParallelFor& parallel_for) = 0;
    /// trial := best + op(A)^-1 r by the factors; first: without best, which is not set yet. Does not wait for that.
    virtual void correct(bool first) = 0;
    /// r := b - op(A) trial, and what that says, by column.
    virtual std::vector<ResidualSizes> measure() = 0;
    /// The seconds of the device in the last correct(), for whose end it waits.
    virtual double correction_seconds() const = 0;
    /// Columns q .. q + count of best := those of trial.
    virtual void adopt(index_t q, index_t count) = 0;
    /// given := best
    virtual void give_solutions(DenseView<T> given, MemoryPlace place, const ParallelFor& parallel_for) = 0;
};

/// device: number of the vendor's runtime; memory_node: that of StarPU. largest_rhs > 0.
/// @throws DeviceError, also in a build without devices
template <class T>
std::unique_ptr<ResidentSolve<T>> make_resident_solve(int device, unsigned memory_node, PlacedFactors<T> factors,
                                                      index_t largest_rhs);

}  // namespace frond::gpu
