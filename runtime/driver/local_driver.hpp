// SPDX-License-Identifier: BSD-3-Clause
// A Solver of one process; process 0 of several has one, too.
#pragma once

#include <memory>
#include <optional>

#include "driver/driver.hpp"
#include "driver/new_values.hpp"
#include "frond/analysis/kept_scaling.hpp"

namespace frond::detail {

template <class T>
class EarlierFactors;

template <class T>
class LocalDriver final : public Driver<T> {
public:
    using typename Driver<T>::Escalation;

    LocalDriver(Session session, const AnalysisOptions& options);
    std::shared_ptr<Driver<T>> copy() const override { return std::make_shared<LocalDriver>(*this); }

    void analyze(const GivenMatrix<T>& a) override;
    void use(const std::shared_ptr<const Analysis>& analysis) override;
    void factor(const GivenMatrix<T>& a, const FactorOptions& options) override { factor(a, options, std::nullopt); }
    void factor_values(std::span<const T> values, const FactorOptions& options) override;
    void factor_dense(const DenseMatrixView<T>& a, const FactorOptions& options) override;
    SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options,
                      Escalation escalation) override;
    void multiply(Operation operation, BlockView<const T> x, BlockView<T> y) override;
    ConditionEstimate condition(const std::atomic<bool>* cancel) override;
    NullSpace<T> null_vectors(Operation operation, const std::atomic<bool>* cancel) override;
    std::optional<typename Factors<T>::LogDeterminant> log_determinant() override;
    std::vector<RankReport> rank_reports() override;
    void meet(const char*, std::exception_ptr error) override {
        if (error != nullptr) std::rethrow_exception(std::move(error));
    }

    const std::shared_ptr<const Analysis>& analysis() const noexcept override { return analysis_; }
    const Factors<T>& factors() const noexcept override { return factors_; }
    const AnalysisReport& analysis_report() const override;
    const FactorReport& factor_report() const override;

    const AnalysisOptions& options() const noexcept { return options_; }
    /// The driver is as before any call.
    void forget();
    void forget_factors() noexcept { factors_ = {}; }

    /// kind: what a new analysis is to take, since the automatic choice of L L^H was wrong.
    void factor(const GivenMatrix<T>& a, const FactorOptions& options, std::optional<Factorization> kind);
    /// Forgets everything, and takes this process' part of an analysis by all.
    void take_part(std::shared_ptr<const Analysis> part);
    /// Factors what all processes have rows of, by this process' part of the analysis. Earlier factors go first: their
    /// memory is that of the new ones. diagonal: of A.
    void factor_rows(std::shared_ptr<const Analysis> part, const SharedMatrix<T>& diagonal,
                     const std::shared_ptr<const Scaling>& scaling, const FactorOptions& options);
    /// Says in the reports how the factors came about.
    void report_origin(bool fell_back_to_ldlt, bool escalated);

private:
    using Driver<T>::options_;
    using Driver<T>::factor_options_;
    using Driver<T>::factor_report_;
    using Driver<T>::input_report_;

    /// An analysis, and the scaling that it or a factorization left.
    struct Basis {
        std::shared_ptr<const Analysis> analysis;
        std::shared_ptr<const KeptScaling> kept;
    };
    Basis basis_of(const SparseMatrix<T>& a, std::optional<Factorization> kind = {}) const;
    /// Takes the whole matrix, and counts for the report of the input.
    RankPart<T> taken(const GivenMatrix<T>& a);

    std::shared_ptr<SparseMatrix<T>> of_known_list(const GivenMatrix<T>& a);
    void factor_known(std::shared_ptr<SparseMatrix<T>> a, const FactorOptions& options,
                      std::optional<Factorization> kind);
    /// The caller promises that `a` has the analysed pattern, or it is checked.
    enum class Pattern : bool { to_be_checked, promised };
    void factor_canonical(const SharedMatrix<T>& a, const FactorOptions& options, Pattern pattern,
                          std::optional<Factorization> kind);
    Factors<T> make_factors(Basis& basis, const SharedMatrix<T>& a, bool known_finite, const FactorOptions& options,
                            EarlierFactors<T>& earlier, std::optional<Factorization> kind) const;
    void expect_possible(const FactorOptions& options) const;
    void have(Factors<T> fresh, std::shared_ptr<const Analysis> analysis, const FactorOptions& options);
    void factor_by_threshold(const std::atomic<bool>* cancel);
    void expect_factors() const;

    Session session_;
    std::shared_ptr<const Analysis> analysis_;
    std::weak_ptr<const Analysis> factored_analysis_;  // that factors were made with
    std::shared_ptr<const KeptScaling> kept_scaling_;  // of values of this pattern; null: none
    Factors<T> factors_;
    NewValues<T> values_;
};

}  // namespace frond::detail
