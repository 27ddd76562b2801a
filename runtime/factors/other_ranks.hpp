// SPDX-License-Identifier: BSD-3-Clause
// The other ranks of a solver, as rank 0 asks them.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "factors/dense_ranks.hpp"
#include "factors/factors_state.hpp"
#include "factors/shared_solve.hpp"
#include "factors/sparse_ranks.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/job.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {

/// What a factorization and its substitutions ask of other ranks, on the thread of rank 0 that leads them; the others
/// serve meanwhile (ranked/rank_tree.hpp). Each begin_ is followed by its end_, on all ranks, whatever happens between.
template <class T>
class OtherRanks {
public:
    /// How their units are factored.
    struct Factoring {
        PivotRule rule;
        double largest_entry = 0;
        bool can_be_cancelled = true;
        FactorPlace place = FactorPlace::automatic;
    };
    OtherRanks() = default;
    OtherRanks(const OtherRanks&) = delete;
    OtherRanks& operator=(const OtherRanks&) = delete;

    /// The other ranks as the calling thread sees them; null: it works alone.
    static OtherRanks*& of_this_thread() noexcept {
        thread_local OtherRanks* others = nullptr;
        return others;
    }

    /// The dense matrix that the ranks are to factor; null: none of them has more than rank 0's Solver was given.
    virtual std::shared_ptr<const DenseRanks<T>> dense_matrix() const = 0;
    /// The sparse one of which they have rows; null: there is none, or rank 0 has the whole.
    virtual std::shared_ptr<const SparseRanks<T>> sparse_matrix() const = 0;

    /// How the ranks share the tree in a factorization; null: this rank does all of it, since that is quicker for so
    /// little work. Nothing is sent.
    virtual std::shared_ptr<const TreeShare> share(const FactorsState<T>& state) = 0;
    /// The prediction for this rank's part, as state.factors.ownership.share has it.
    virtual PeakPrediction predicted(const FactorsState<T>& state) = 0;

    /// The others begin, with their scaled entries of A. Its number is that of state.factors.ownership.share. make(): what this rank needs
    /// for its own part, while the others make theirs.
    /// @throws what make() or one of the others throws, which has no room for its part, say; then no end follows
    virtual void begin_factorization(const FactorsState<T>& state, const T* entries, const Factoring& how,
                                     const std::function<void()>& make) = 0;
    /// For tests, see FactorizationContext.
    virtual index_t failing_unit() const = 0;
    /// After this rank's tasks: all ranks throw the first cause of an error. Else what the others found is added to the
    /// state, its report and `pivots`.
    virtual void end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) = 0;

    /// Names a substitution that is to begin, with x [n, rhs] in elimination order, and sends its parts to the ranks that
    /// need them. Its number.
    virtual std::int64_t begin_substitution(const FactorsState<T>& state, SharedSolve& solve, DenseView<const T> x) = 0;
    /// Whether all ranks are ready, and where they make the sweeps through their branches.
    /// @throws the error of the first that is not; then no end follows
    virtual AgreedPlace agree(std::exception_ptr error, BranchPlace mine) = 0;
    /// All throw the first cause of an error; else the results come into x.
    virtual void end_substitution(const FactorsState<T>& state, const SharedSolve& solve, std::exception_ptr error,
                                  DenseView<T> x) = 0;

    /// From now on an error of the job stops those of the same number on other ranks, and theirs this one; null: no more.
    virtual void watch(Job* job, std::int64_t number) = 0;

protected:
    ~OtherRanks() = default;
};

/// @throws InvalidArgument  matrix is null
template <class Matrix>
std::shared_ptr<const Matrix> expect_matrix_of_ranks(std::shared_ptr<const Matrix> matrix, const char* which) {
    if (matrix == nullptr)
        throw InvalidArgument(
            std::string("several ranks have this ") + which +
            " matrix, which work together in calls of its Solver alone: use Solver::solve, condition or "
            "null_vectors on all of them");
    return matrix;
}

/// The dense or sparse matrix of the ranks that the calling thread leads, whichever Solver they belong to: a copy of a
/// Solver has the same factors and other ranks. @throws InvalidArgument  the thread leads none, or they have none
template <class T>
std::shared_ptr<const DenseRanks<T>> dense_of_ranks() {
    const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    return expect_matrix_of_ranks(others != nullptr ? others->dense_matrix() : nullptr, "dense");
}
template <class T>
std::shared_ptr<const SparseRanks<T>> rows_of_ranks() {
    const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
    return expect_matrix_of_ranks(others != nullptr ? others->sparse_matrix() : nullptr, "sparse");
}

/// OtherRanks::watch for the life of an object.
template <class Others>
class JobWatch {
public:
    JobWatch(Others& others, Job& job, std::int64_t number) : others_(others) { others_.watch(&job, number); }
    JobWatch(const JobWatch&) = delete;
    JobWatch& operator=(const JobWatch&) = delete;
    ~JobWatch() { others_.watch(nullptr, 0); }

private:
    Others& others_;
};

}  // namespace frond::detail
