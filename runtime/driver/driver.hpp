// SPDX-License-Identifier: BSD-3-Clause
// What a Solver is made of: who has A and its factors, and who works on them.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frond/condition.hpp"
#include "frond/null_space.hpp"
#include "frond/rank_part.hpp"
#include "frond/solver.hpp"

namespace frond::detail {

/// Every verb is the member of Solver that has this name, which says what it throws and what stays then. Where several
/// processes have a Solver, every verb is collective, and throws the same on all of them.
template <class T>
class Driver {
public:
    Driver& operator=(const Driver&) = delete;
    virtual ~Driver() = default;
    virtual std::shared_ptr<Driver> copy() const = 0;

    virtual void analyze(const GivenMatrix<T>& a) = 0;
    virtual void use(const std::shared_ptr<const Analysis>& analysis) = 0;
    virtual void factor(const GivenMatrix<T>& a, const FactorOptions& options) = 0;
    virtual void factor_values(std::span<const T> values, const FactorOptions& options) = 0;
    virtual void factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) = 0;
    /// Says whether a solve may bring other factors.
    enum class Escalation : bool { no, allowed };
    virtual SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options,
                              Escalation escalation) = 0;
    virtual void multiply(Operation operation, BlockView<const T> x, BlockView<T> y) = 0;
    virtual ConditionEstimate condition(const std::atomic<bool>* cancel) = 0;
    virtual NullSpace<T> null_vectors(Operation operation, const std::atomic<bool>* cancel) = 0;
    virtual std::optional<typename Factors<T>::LogDeterminant> log_determinant() = 0;
    virtual std::vector<RankReport> rank_reports() = 0;
    /// Before a call, where processes may make another one, or this one may have found an error: all of them throw then.
    virtual void meet(const char* call, std::exception_ptr error) = 0;

    /// The process that decides has them; they are null on the others.
    virtual const std::shared_ptr<const Analysis>& analysis() const noexcept = 0;
    virtual const Factors<T>& factors() const noexcept = 0;
    /// @throws InvalidArgument  there is none; not collective
    virtual const AnalysisReport& analysis_report() const = 0;
    virtual const FactorReport& factor_report() const = 0;
    const InputReport& input_report() const noexcept { return input_report_; }

protected:
    Driver() = default;
    explicit Driver(AnalysisOptions options) : options_(std::move(options)) {}
    Driver(const Driver&) = default;

    /// True: factors by threshold pivoting may follow a solve that is not accurate enough.
    bool may_escalate(const SolveOptions& options, Escalation escalation) const;
    /// The automatic choice of L L^H is a guess from the diagonal. Where factors with this status show that it was wrong:
    /// the kind that is to follow.
    std::optional<Factorization> other_kind(FactorStatus status, Symmetry symmetry) const;

    AnalysisOptions options_;  // of all processes alike: of the constructor, or of the analysis that use() brought
    FactorOptions factor_options_;  // of the factors at hand, without callbacks
    FactorReport factor_report_;  // of these
    InputReport input_report_;
};

/// The driver is of this process alone or, if the session has a communicator, of all of its processes; collective then.
template <class T>
std::shared_ptr<Driver<T>> make_driver(const Session& session, const AnalysisOptions& options);

}  // namespace frond::detail
