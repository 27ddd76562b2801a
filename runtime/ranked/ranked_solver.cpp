// SPDX-License-Identifier: BSD-3-Clause
// Collective analysis: entries to row blocks, from there to rank 0, and reports back.
#include "ranked/ranked_solver.hpp"

#include <algorithm>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/call_names.hpp"
#include "ranked/option_values.hpp"
#include "ranked/report_fields.hpp"
#include "ranked/whole_matrix.hpp"
#include "session/ranked_session.hpp"

namespace frond::detail {
namespace {

/// The tree is cut for the workers of all ranks, and keeps apart what ranks do side by side, unless the caller says how, or
/// wants results that do not depend on ranks.
AnalysisOptions for_ranks(AnalysisOptions options, Communicator& ranks, count_t workers) {
    std::vector<count_t> sum{workers};
    ranks.all_reduce_sum(sum);
    if (options.deterministic) return options;
    if (options.workers == 0) options.workers = static_cast<index_t>(sum[0]);
    if (options.ranks <= 1) options.ranks = ranks.size();
    return options;
}

}  // namespace

template <class T>
RankedSolver<T>::RankedSolver(const Session& session, const AnalysisOptions& options)
    : session_(alone(session)),
      ranks_([&] {
          Communicator& ranks = ranks_of(session)->ranks();
          expect_agreement(ranks, call_of<T>("Solver", analysis_values(options)));
          expect_order_of_rank_0(ranks, options.user_order);
          return ranks.duplicate();
      }()),
      number_(ranks_of(session), *ranks_),
      team_(*ranks_, ranks_of(session)->channel()),
      tree_(team_, state_of(session_), number_.get()),
      whole_(session_, for_ranks(options, *ranks_, state_of(session_)->cpu_workers())),
      options_(whole_.options_) {
    team_.share_workers(state_of(session_)->cpu_workers(), state_of(session_)->gpus());
    seconds_ += idle_seconds();  // of this constructor, which has no clock
}

template <class T>
RankedSolver<T>::RankedSolver(const RankedSolver& other)
    : session_(other.session_),
      ranks_([&] {
          expect_agreement(*other.ranks_, call_of<T>("Solver(const Solver&)"));
          return other.ranks_->duplicate();
      }()),
      number_(other.number_.session(), *ranks_),
      team_(*ranks_, other.team_.channel()),
      tree_(other.tree_, team_, number_.get()),
      whole_(other.whole_),
      options_(other.options_),
      is_analysed_(other.is_analysed_),
      whole_has_order_(other.whole_has_order_),
      has_factors_(other.has_factors_),
      is_dense_(other.is_dense_),
      dense_cuts_(other.dense_cuts_),
      a_(other.a_),
      of_rows_(other.of_rows_),
      rows_pattern_(other.rows_pattern_),
      is_distributed_(other.is_distributed_),
      list_(other.list_),
      plan_(other.plan_),
      part_(other.part_),
      part_rows_(other.part_rows_),
      part_by_rows_(other.part_by_rows_),
      part_duplicates_(other.part_duplicates_),
      analysis_report_(other.analysis_report_),
      factor_report_(other.factor_report_),
      factor_options_(other.factor_options_),
      input_report_(other.input_report_),
      seconds_(other.seconds_) {
    team_.share_workers(state_of(session_)->cpu_workers(), state_of(session_)->gpus());
    seconds_ += idle_seconds();  // of this constructor, which has no clock
}

template <class T>
double RankedSolver<T>::idle_seconds() {
    return ranks_->counts().idle_seconds + team_.ranks().counts().idle_seconds;
}

/// Analysis and factors of another pattern are to come.
template <class T>
void RankedSolver<T>::forget() {
    whole_.factors_ = {};
    if (is_distributed_) whole_.analysis_ = nullptr;  // it is rank 0's part, and should the next one fail, none
    is_analysed_ = has_factors_ = whole_has_order_ = is_dense_ = is_distributed_ = false;
    tree_.forget();
    a_ = {};
    systems_ = {};
    of_rows_ = {};
    rows_pattern_.reset();
    diagonal_memory_ = {};
    value_memory_ = {};
    list_.reset();
    plan_.reset();
}

/// Brings the solver into the state before any call.
template <class T>
void RankedSolver<T>::forget_all() {
    forget();
    whole_.analysis_ = nullptr;
    whole_.kept_scaling_.reset();
    whole_.values_.forget();
    input_report_ = {};
}

template <class T>
void RankedSolver<T>::analyze(const MakePart<T>& make) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("analyze"));
    InputReport input;
    const RankPart<T> part = agreed_part(make, input);
    const Values values = values_of(part);
    forget();
    keeps_rows(values, 0) ? analyze_rows(values, options_.factorization) : analyze_whole(values, 0);
    remember(part, values.plan);
    input_report_ = input;
}

template <class T>
void RankedSolver<T>::analyze_whole(const Values& a, count_t budget) {
    expect_room(a, false, budget);
    const BlockPattern& pattern = *a.plan->pattern();
    const WholeMatrix<T> whole = gather_matrix(*ranks_, pattern, *a.value);
    tree_.conduct(nullptr, [&](const std::atomic<bool>*) {
        with_view(whole, pattern.symmetry, [&](const auto& view) { analysis_report_ = whole_.analyze(view); });
    });
    share(*ranks_, analysis_report_);
    is_analysed_ = whole_has_order_ = true;
}

template <class T>
void RankedSolver<T>::use(const std::shared_ptr<const Analysis>& analysis) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("use"));
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        whole_.use(analysis);
        analysis_report_ = analysis->report;
        is_distributed_ = false;  // forget() leaves this analysis where it is
    });
    forget();
    AnalysisOptions taken = analysis_options_of_rank_0(*ranks_, whole_.options_);
    collectively(*ranks_, [&] { options_ = ranks_->rank() == 0 ? whole_.options_ : std::move(taken); });
    input_report_ = {};
    share(*ranks_, analysis_report_);
    is_analysed_ = true;
}

template <class T>
const AnalysisReport& RankedSolver<T>::analysis_report() const {
    FROND_EXPECTS(is_analysed_, "nothing was analysed: call analyze()");
    return analysis_report_;
}

template <class T>
const FactorReport& RankedSolver<T>::factor_report() const {
    FROND_EXPECTS(has_factors_, "nothing was factored: call factor()");
    return factor_report_;
}

/// An error may have taken rank 0's.
template <class T>
bool RankedSolver<T>::has_factors() const {
    return has_factors_ && (ranks_->rank() > 0 || bool(whole_.factors()));
}

template <class T>
void RankedSolver<T>::expect_factors(const char* call) {
    collectively(
        *ranks_,
        [&] { FROND_EXPECTS(has_factors(), std::string("there is nothing to ") + call + " with; call factor()"); },
        NameRank::no);
}

#define FROND_INSTANTIATE(T) template class RankedSolver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
