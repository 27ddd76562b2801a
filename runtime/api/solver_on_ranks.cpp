// SPDX-License-Identifier: BSD-3-Clause
// The calls of a Solver that concern several processes.
#include <new>

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/condition.hpp"
#include "frond/null_space.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/solver.hpp"
#include "ranked/ranked_solver.hpp"

namespace frond {

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

template <class Object>
std::shared_ptr<Object> detail::ClonedPointer<Object>::clone(const std::shared_ptr<Object>& other) {
    return other != nullptr ? std::make_shared<Object>(*other) : nullptr;
}

template <class T>
const AnalysisReport& Solver<T>::analysis_report() const {
    if (ranks_) return ranks_->analysis_report();
    FROND_EXPECTS(analysis_ != nullptr, "nothing was analysed: call analyze()");
    return analysis_->report;
}

template <class T>
const FactorReport& Solver<T>::factor_report() const {
    if (ranks_) return ranks_->factor_report();
    FROND_EXPECTS(bool(factors_), "nothing was factored: call factor()");
    return factors_.report();
}

template <class T>
void Solver<T>::multiply(Operation operation, BlockView<const T> x, BlockView<T> y) const {
    if (ranks_) return ranks_->multiply(operation, x, y);
    FROND_EXPECTS(bool(factors_), "there is no factored matrix yet; call factor() first");
    const SparseMatrix<T>& a = *detail::state_of(factors_)->system.matrix;
    const count_t x_ld = x.ld == 0 ? x.rows : x.ld, y_ld = y.ld == 0 ? y.rows : y.ld;
    FROND_EXPECTS(x.rows == a.rows() && y.rows == a.rows() && x.cols == y.cols && x_ld >= x.rows && y_ld >= y.rows,
                  "X and Y must have the order of the matrix, " + std::to_string(a.rows()) +
                      ", as rows, as many columns as each other, and ld of at least their rows");
    FROND_EXPECTS(x.row_map == nullptr && y.row_map == nullptr,
                  "row_map is for sessions with a communicator; leave it null");
    if (detail::state_of(factors_)->system.dense()) {
        const detail::FactorsState<T>& state = *detail::state_of(factors_);
        const detail::JobGuard guard(*state.session);
        for (count_t j = 0; j < x.cols; ++j)
            state.system.linear_system(operation).multiply(x.data + j * x_ld, y.data + j * y_ld);
        return;
    }
    frond::multiply(a, operation, static_cast<index_t>(x.cols), x.data, x_ld, y.data, y_ld);
}

template <class T>
ConditionEstimate Solver<T>::condition(const std::atomic<bool>* cancel) const {
    if (ranks_) return ranks_->condition(cancel);
    FROND_EXPECTS(bool(factors_), "nothing was factored: call factor()");
    return condition_estimate(factors_, cancel);
}

template <class T>
NullSpace<T> Solver<T>::null_vectors(Operation operation, const std::atomic<bool>* cancel) const {
    if (ranks_) return ranks_->null_vectors(operation, cancel);
    FROND_EXPECTS(bool(factors_), "nothing was factored: call factor()");
    return null_space(factors_, operation, cancel);
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> Solver<T>::log_determinant() const {
    if (ranks_) return ranks_->log_determinant();
    FROND_EXPECTS(bool(factors_), "nothing was factored: call factor()");
    return factors_.log_determinant();
}

template <class T>
std::vector<RankReport> Solver<T>::rank_reports() const {
    if (ranks_) return ranks_->rank_reports();
    RankReport alone;
    if (factors_) {
        alone.factor_bytes = factors_.report().memory.factor_bytes;
        alone.peak_bytes = factors_.report().memory.peak_bytes;
        alone.flops = factors_.report().work.flops;
    }
    return {alone};
}

#define FROND_INSTANTIATE(T)                                                                        \
    template class detail::ClonedPointer<detail::RankedSolver<T>>;                                  \
    template const AnalysisReport& Solver<T>::analysis_report() const;                              \
    template const FactorReport& Solver<T>::factor_report() const;                                  \
    template void Solver<T>::multiply(Operation, BlockView<const T>, BlockView<T>) const;           \
    template ConditionEstimate Solver<T>::condition(const std::atomic<bool>*) const;                \
    template NullSpace<T> Solver<T>::null_vectors(Operation, const std::atomic<bool>*) const;       \
    template std::optional<typename Factors<T>::LogDeterminant> Solver<T>::log_determinant() const; \
    template std::vector<RankReport> Solver<T>::rank_reports() const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
