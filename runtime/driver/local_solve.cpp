// SPDX-License-Identifier: BSD-3-Clause
// What a LocalDriver does with its factors. Where a solve after static pivoting does not reach the accuracy, factors with
// threshold pivoting are tried.
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "driver/local_driver.hpp"
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "solve/block_views.hpp"
#include "solve/callers_blocks.hpp"

namespace frond::detail {
namespace {

/// Calls solve(), and gives X back what it had when that fails.
template <class T, class Solve>
SolveReport keeping_x(SessionState& session, DenseView<T> x, void* stream, Solve solve) {
    const auto kept = [&] {
        const JobGuard guard(session);
        return std::make_unique<CallersBlocks<T>>(session, x.as_const(), x, stream);
    }();
    try {
        return solve();
    } catch (...) {
        kept->copy_b_to_x();
        throw;
    }
}

/// The report of `first`, a solution in X, or where another way succeeds of a better one there. Without memory for the
/// other way X stays.
template <class Solve>
SolveReport better_if_room(SolveReport first, Solve solve) {
    try {
        return solve();
    } catch (const MemoryBudgetExceeded&) {
    } catch (const OutOfMemory&) {
    } catch (const std::bad_alloc&) {
    }
    first.short_of_memory = true;
    return first;
}

}  // namespace

template <class T>
SolveReport LocalDriver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options,
                                  Escalation escalation) {
    FROND_EXPECTS(b.row_map == nullptr && x.row_map == nullptr,
                  "row_map is for sessions with a communicator; leave it null");
    FROND_EXPECTS(bool(factors_), "there are no factors yet; call factor() first");
    if (!this->may_escalate(options, escalation)) return frond::solve(factors_, b, x, options);
    const auto start = std::chrono::steady_clock::now();
    const std::shared_ptr<SessionState>& session = state_of(session_);
    const index_t n = analysis_->order;
    expect_solve(factor_report_, b.cols, x.cols, options);
    const auto kept = [&] {
        const JobGuard guard(*session);
        return CallersBlocks<T>(*session, checked_view<T>(b, n, "B"), checked_view<T>(x, n, "X"), options.stream);
    }();
    SolveReport first = frond::solve(factors_, b, x, options);
    // At 10 eps nothing is left to gain, whatever was asked for.
    constexpr double rounding = 10 * std::numeric_limits<real_t<T>>::epsilon();
    if (first.status == SolveStatus::converged || first.componentwise_backward_error <= rounding) return first;
    const DenseView<const T> again = kept.b();
    SolveReport report = better_if_room(std::move(first), [&] {
        factor_by_threshold(options.cancel);
        SolveReport second = keeping_x(*session, kept.x(), options.stream, [&] {
            return frond::solve(factors_, BlockView<const T>{again.data, again.rows, again.cols, again.ld}, x, options);
        });
        second.escalated = true;
        return second;
    });
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

template <class T>
void LocalDriver<T>::expect_factors() const {
    FROND_EXPECTS(bool(factors_), "nothing was factored: call factor()");
}

template <class T>
const AnalysisReport& LocalDriver<T>::analysis_report() const {
    FROND_EXPECTS(analysis_ != nullptr, "nothing was analysed: call analyze()");
    return analysis_->report;
}

template <class T>
const FactorReport& LocalDriver<T>::factor_report() const {
    expect_factors();
    return factor_report_;
}

template <class T>
void LocalDriver<T>::multiply(Operation operation, BlockView<const T> x, BlockView<T> y) {
    FROND_EXPECTS(bool(factors_), "there is no factored matrix yet; call factor() first");
    const FactorsState<T>& state = *state_of(factors_);
    const SparseMatrix<T>& a = *state.system.matrix;
    const count_t x_ld = x.ld == 0 ? x.rows : x.ld, y_ld = y.ld == 0 ? y.rows : y.ld;
    FROND_EXPECTS(x.rows == a.rows() && y.rows == a.rows() && x.cols == y.cols && x_ld >= x.rows && y_ld >= y.rows,
                  "X and Y must have the order of the matrix, " + std::to_string(a.rows()) +
                      ", as rows, as many columns as each other, and ld of at least their rows");
    FROND_EXPECTS(x.row_map == nullptr && y.row_map == nullptr,
                  "row_map is for sessions with a communicator; leave it null");
    if (!state.system.dense())
        return frond::multiply(a, operation, static_cast<index_t>(x.cols), x.data, x_ld, y.data, y_ld);
    const JobGuard guard(*state.session);
    for (count_t j = 0; j < x.cols; ++j)
        state.system.linear_system(operation).multiply(x.data + j * x_ld, y.data + j * y_ld);
}

template <class T>
ConditionEstimate LocalDriver<T>::condition(const std::atomic<bool>* cancel) {
    expect_factors();
    return condition_estimate(factors_, cancel);
}

template <class T>
NullSpace<T> LocalDriver<T>::null_vectors(Operation operation, const std::atomic<bool>* cancel) {
    expect_factors();
    return null_space(factors_, operation, cancel);
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> LocalDriver<T>::log_determinant() {
    expect_factors();
    return factors_.log_determinant();
}

template <class T>
std::vector<RankReport> LocalDriver<T>::rank_reports() {
    RankReport alone;
    if (factors_) {
        alone.factor_bytes = factors_.report().memory.factor_bytes;
        alone.peak_bytes = factors_.report().memory.peak_bytes;
        alone.flops = factors_.report().work.flops;
    }
    return {alone};
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template SolveReport LocalDriver<T>::solve(BlockView<const T>, BlockView<T>, const SolveOptions&, Escalation); \
    template void LocalDriver<T>::expect_factors() const;                                                          \
    template const AnalysisReport& LocalDriver<T>::analysis_report() const;                                        \
    template const FactorReport& LocalDriver<T>::factor_report() const;                                            \
    template void LocalDriver<T>::multiply(Operation, BlockView<const T>, BlockView<T>);                           \
    template ConditionEstimate LocalDriver<T>::condition(const std::atomic<bool>*);                                \
    template NullSpace<T> LocalDriver<T>::null_vectors(Operation, const std::atomic<bool>*);                       \
    template std::optional<typename Factors<T>::LogDeterminant> LocalDriver<T>::log_determinant();                 \
    template std::vector<RankReport> LocalDriver<T>::rank_reports();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
