// SPDX-License-Identifier: BSD-3-Clause
#include "frond/solver.hpp"

#include <new>
#include <utility>

#include "driver/driver.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond {
namespace {

/// What call() gives. @throws OutOfMemory  in place of what the language throws
template <class Call>
decltype(auto) with_errors_of_frond(const Call& call) try {
    return call();
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

}  // namespace

template <class T>
Solver<T>::Solver(Session session, AnalysisOptions options)
    : driver_(with_errors_of_frond([&] { return detail::make_driver<T>(session, options); })) {}

template <class T>
Solver<T>::Solver(const Solver& other) : driver_(other.driver_->copy()) {}

template <class T>
Solver<T>& Solver<T>::operator=(const Solver& other) {
    if (this != &other) driver_ = other.driver_->copy();
    return *this;
}

template <class T>
const AnalysisReport& Solver<T>::analyze_given(const detail::GivenMatrix<T>& a) {
    with_errors_of_frond([&] { driver_->analyze(a); });
    return driver_->analysis_report();
}

template <class T>
void Solver<T>::use(std::shared_ptr<const Analysis> analysis) {
    driver_->use(analysis);
}

template <class T>
const FactorReport& Solver<T>::factor_given(const detail::GivenMatrix<T>& a, const FactorOptions& options) {
    with_errors_of_frond([&] { driver_->factor(a, options); });
    return driver_->factor_report();
}

template <class T>
const FactorReport& Solver<T>::factor(const DenseMatrixView<T>& a, const FactorOptions& options) {
    with_errors_of_frond([&] { driver_->factor_dense(a, options); });
    return driver_->factor_report();
}

template <class T>
const FactorReport& Solver<T>::factor_values(std::span<const T> values, const FactorOptions& options) {
    with_errors_of_frond([&] { driver_->factor_values(values, options); });
    return driver_->factor_report();
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) {
    return with_errors_of_frond([&] { return driver_->solve(b, x, options, detail::Driver<T>::Escalation::allowed); });
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) const {
    return driver_->solve(b, x, options, detail::Driver<T>::Escalation::no);
}

template <class T>
void Solver<T>::multiply(Operation operation, BlockView<const T> x, BlockView<T> y) const {
    driver_->multiply(operation, x, y);
}

template <class T>
ConditionEstimate Solver<T>::condition(const std::atomic<bool>* cancel) const {
    return driver_->condition(cancel);
}

template <class T>
NullSpace<T> Solver<T>::null_vectors(Operation operation, const std::atomic<bool>* cancel) const {
    return driver_->null_vectors(operation, cancel);
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> Solver<T>::log_determinant() const {
    return driver_->log_determinant();
}

template <class T>
std::vector<RankReport> Solver<T>::rank_reports() const {
    return driver_->rank_reports();
}

template <class T>
const std::shared_ptr<const Analysis>& Solver<T>::analysis() const noexcept {
    return driver_->analysis();
}

template <class T>
const Factors<T>& Solver<T>::factors() const noexcept {
    return driver_->factors();
}

template <class T>
const InputReport& Solver<T>::input_report() const noexcept {
    return driver_->input_report();
}

template <class T>
const AnalysisReport& Solver<T>::analysis_report() const {
    return driver_->analysis_report();
}

template <class T>
const FactorReport& Solver<T>::factor_report() const {
    return driver_->factor_report();
}

#define FROND_INSTANTIATE(T) template class Solver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

void detail::expect_every_row(const std::vector<index_t>& rows, index_t order) {
    std::vector<bool> given(static_cast<std::size_t>(order), false);
    for (const index_t row : rows) {
        if (given[static_cast<std::size_t>(row)])
            throw InvalidMatrix("row " + std::to_string(row) + " (counted from 0) is given twice; give each row once");
        given[static_cast<std::size_t>(row)] = true;
    }
    for (std::size_t row = 0; row < given.size(); ++row)
        if (!given[row])
            throw InvalidMatrix("row " + std::to_string(row) + " (counted from 0) is missing; give each row once");
}

}  // namespace frond
