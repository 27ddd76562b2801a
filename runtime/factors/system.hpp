// SPDX-License-Identifier: BSD-3-Clause
// The matrix of a system, as factorizations read it and solves multiply with it.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "frond/analysis/kept_scaling.hpp"
#include "frond/matrix/dense_matrix_view.hpp"
#include "frond/solver.hpp"
#include "session/session_state.hpp"
#include "system/linear_system.hpp"

namespace frond::detail {

/// A dense A of which this process has a part, and other processes the others: dense_of_ranks() has all of it.
template <class T>
struct PartOfDense {
    DenseMatrixView<T> part;
};

/// A sparse A whose rows are in several processes: rows_of_ranks() has them.
struct RowsOfSparse {};

/// A with its scaling, and products with it.
template <class T>
class System {
public:
    System(std::shared_ptr<SessionState> session, std::shared_ptr<const Analysis> of_a)
        : analysis(std::move(of_a)), session_(std::move(session)) {}

    /// What A is: sparse and in `matrix`; sparse, with its rows in several processes; dense in the caller's memory;
    /// dense with its parts in several processes.
    std::variant<std::monostate, RowsOfSparse, DenseMatrixView<T>, PartOfDense<T>> form;
    SharedMatrix<T> matrix;  // a sparse A of this process alone, else the diagonal of A; not null
    std::shared_ptr<const Analysis> analysis;  // A has it; factors may have another, in which columns are delayed
    std::shared_ptr<const Scaling> scaling = std::make_shared<const Scaling>();  // not null
    std::shared_ptr<const KeptScaling> kept_scaling;  // the same, where it is not empty and may serve other values
    UnmatchedPart unmatched;  // in A without scaling
    double largest_entry = 0;  // in the scaled matrix

    /// Null: A is sparse.
    const DenseMatrixView<T>* dense() const;
    bool is_dense_of_ranks() const { return std::holds_alternative<PartOfDense<T>>(form); }
    bool is_sparse_of_ranks() const { return std::holds_alternative<RowsOfSparse>(form); }
    bool is_of_ranks() const { return is_dense_of_ranks() || is_sparse_of_ranks(); }

    /// A with its row sums for backward errors; op(A) is prepared when first asked for.
    const LinearSystem<T>& linear_system(Operation op) const;
    /// op(A), made anew.
    std::shared_ptr<const Operator<T>> applied(Operation op) const;
    /// The scaling that the unknowns of op(A) had: columns', or rows' for the transposed systems; of definite matrices
    /// that were factored as they are, the one they would have had. Empty: none.
    const std::vector<double>& solution_scale(Operation op) const;
    /// max_j sum_i |a_ij|
    double norm_1() const;

private:
    const std::vector<double>& solution_scale_under_lock(Operation op) const;

    std::shared_ptr<SessionState> session_;
    mutable std::mutex mutex_;  // for what follows
    mutable std::optional<std::vector<double>> scale_of_unknowns_;  // where A was factored as it is
    mutable std::array<std::unique_ptr<const LinearSystem<T>>, 3> systems_;
};

}  // namespace frond::detail
