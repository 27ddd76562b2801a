// SPDX-License-Identifier: BSD-3-Clause
#include "memory/predict_solve.hpp"

#include <algorithm>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "engine/tiled_front.hpp"
#include "memory/predict_peak.hpp"
#include "refinement/gmres.hpp"

namespace frond::detail {
namespace {

constexpr count_t refinement_columns = RefinementOptions{}.block_columns;
constexpr count_t estimator_columns = 2;  // see one_norm_estimate.hpp

template <class U>
constexpr count_t size_of() {
    return static_cast<count_t>(sizeof(U));
}

/// Residuals and weights, entries by row, and what the estimator holds: 4 vectors and 3 lists.
template <class T>
count_t forward_error_bytes(count_t order) {
    return order * ((1 + 2 * estimator_columns) * size_of<T>() + size_of<real_t<T>>() + 2 * size_of<index_t>() +
                    size_of<double>() + 1);
}

}  // namespace

SolveShape wanted_shape(index_t rhs, const SolveOptions& options) {
    constexpr index_t default_rhs_block = 64;
    SolveShape shape;
    shape.columns = std::max(rhs, 1);
    shape.block = options.rhs_block > 0 ? options.rhs_block : default_rhs_block;
    shape.forward_error = options.forward_error;
    shape.other_system = options.operation != Operation::none && options.part == SolvePart::all;
    if (options.krylov == Krylov::automatic && options.part == SolvePart::all)
        shape.gmres_restart = largest_gmres_restart;
    return shape;
}

template <class T>
SolveBytes<T>::SolveBytes(const Analysis& analysis, index_t workers) : order_(analysis.order) {
    const auto rows_of = [&](index_t f) -> count_t { return analysis.tree.fronts[static_cast<std::size_t>(f)].ncb(); };
    const Mapping& mapping = analysis.mapping;
    for (const Subtree& s : mapping.subtrees) {
        contribution_rows_ += rows_of(s.root_front);
        root_rows_ = std::max(root_rows_, rows_of(s.root_front));
        for (index_t f = s.first_front; f <= s.root_front; ++f) largest_rows_ = std::max(largest_rows_, rows_of(f));
    }
    leases_ = std::min(static_cast<count_t>(workers), static_cast<count_t>(mapping.subtrees.size()));
    handles_ = 2 * static_cast<count_t>(mapping.subtrees.size());
    tasks_ = 3 * static_cast<count_t>(mapping.subtrees.size());
    for (const TileGrid& grid : mapping.grids) {
        const count_t tiles = grid.tiles(), own = grid.own_tiles;
        contribution_rows_ += grid.cut.back() - grid.cut[static_cast<std::size_t>(own)];
        handles_ += tiles + 2;
        for (index_t t = 0; t < grid.tiles(); ++t)
            product_rows_ = std::max(product_rows_, static_cast<count_t>(workers) * grid.size(t));
        tasks_ += 5 + 3 * own + 2 * own * tiles;  // gather, scatter, second passes; diagonal tiles; updates at most
    }
    for (const TileGrid& grid : mapping.grids)
        if (has_pivot_records(analysis.factorization))
            gathered_rows_ = std::max(gathered_rows_, static_cast<count_t>(grid.cut.back()));
    gathered_rows_ *= std::min(static_cast<count_t>(workers), static_cast<count_t>(mapping.grids.size()));
    tasks_ = std::min(tasks_, most_pending_tasks(analysis));
}

template <class T>
count_t SolveBytes<T>::substitution(const SolveShape& shape) const {
    const count_t block = std::min(shape.block, shape.columns), blocks = (shape.columns + block - 1) / block;
    const count_t lease = (largest_rows_ * (block + 1) + root_rows_ * block) * size_of<T>();
    return (contribution_rows_ * shape.columns + (product_rows_ + gathered_rows_) * block) * size_of<T>() +
           blocks * handles_ * handle_bytes + tasks_ * task_bytes + leases_ * lease;
}

/// X in elimination order, and one substitution of it.
template <class T>
count_t SolveBytes<T>::inverse(count_t columns) const {
    const auto width = static_cast<index_t>(columns);
    return columns * order_ * size_of<T>() + substitution({width, width});
}

/// The bytes of both row sums, the scale of the unknowns, and sums while they are made.
template <class T>
count_t SolveBytes<T>::system() const {
    return order_ * (2 * size_of<real_t<T>>() + 3 * size_of<double>());
}

/// What the estimator holds (4 vectors, 3 lists), row sums, the systems of A and A^H; definite matrices without
/// scaling get one for the hint.
template <class T>
count_t SolveBytes<T>::condition_hint() const {
    const count_t lists = 3 * size_of<double>() + size_of<index_t>() + 1;
    return order_ * (3 * estimator_columns * size_of<T>() + lists) + system() + inverse(estimator_columns);
}

/// Vectors, residuals with their sums in twice the digits, and two sizes of each; meanwhile rows y with products; entries of the rows, and the system of A^H.
template <class T>
count_t SolveBytes<T>::null_sizes(index_t vectors) const {
    const count_t kept = vectors * (2 * size_of<T>() + 6 * size_of<double>());
    const count_t rows = 2 * static_cast<count_t>(vectors);
    return order_ * (kept + 2 * rows * size_of<T>() + size_of<index_t>() + 1) + system() + inverse(rows);
}

template <class T>
count_t SolveBytes<T>::of(const SolveShape& shape) const {
    const count_t columns = shape.columns, vector = order_ * size_of<T>();
    const count_t refined = std::min(columns, refinement_columns);
    count_t beside = refined * (2 * vector + order_ * size_of<real_t<T>>());
    if (shape.gmres_restart > 0)
        beside = std::max(beside, gmres_bytes<T>(static_cast<index_t>(order_), shape.gmres_restart));
    if (shape.forward_error) {
        const SolveShape pair{estimator_columns, estimator_columns};
        beside = std::max(beside, forward_error_bytes<T>(order_) + 2 * estimator_columns * vector + substitution(pair));
    }
    return columns * vector * (shape.copies_b ? 2 : 1) + substitution(shape) + beside +
           (shape.other_system ? system() : 0);
}

template <class T>
count_t SolveBytes<T>::least(SolveShape wanted) const {
    wanted.columns = 1;
    wanted.gmres_restart = 0;
    return of(wanted);
}

template <class T>
SolveShape SolveBytes<T>::fitted(SolveShape shape, count_t bound_bytes) const {
    if (least(shape) > bound_bytes)
        throw MemoryBudgetExceeded("one right-hand side needs " + std::to_string(least(shape)) +
                                       " bytes in addition to the factors; solve_memory_budget_bytes is " +
                                       std::to_string(bound_bytes) + "; raise it",
                                   least(shape), bound_bytes);
    const auto fits = [&] { return of(shape) <= bound_bytes; };
    while (!fits() && shape.columns > 1) {
        const count_t block = shape.block, blocks = (shape.columns + block - 1) / block;  // wide: block may be 2^31 - 1
        shape.columns = blocks > 1 ? static_cast<index_t>(blocks / 2 * block) : shape.columns / 2;
    }
    while (!fits()) shape.gmres_restart = shape.gmres_restart > smallest_gmres_restart ? shape.gmres_restart - 1 : 0;
    return shape;
}

#define FROND_INSTANTIATE(T) template class SolveBytes<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

namespace frond {

template <class T>
count_t predicted_solve_bytes(const Analysis& analysis, index_t rhs, const SolveOptions& options, index_t workers) {
    const detail::SolveShape shape = detail::wanted_shape(rhs, options);
    return detail::SolveBytes<T>(analysis, workers > 0 ? workers : analysis.mapping.workers).of(shape);
}

#undef FROND_INSTANTIATE
#define FROND_INSTANTIATE(T) \
    template count_t predicted_solve_bytes<T>(const Analysis&, index_t, const SolveOptions&, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
