// SPDX-License-Identifier: BSD-3-Clause
// Collective analysis: entries to row blocks, from there to process 0, and reports back.
#include "driver/rank_driver.hpp"

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
RankDriver<T>::RankDriver(const Session& session, const AnalysisOptions& options)
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
      local_(session_, for_ranks(options, *ranks_, state_of(session_)->cpu_workers())) {
    options_ = local_.options();
    team_.share_workers(state_of(session_)->cpu_workers(), state_of(session_)->gpus());
    seconds_ += idle_seconds();  // of this constructor, which has no clock
}

template <class T>
RankDriver<T>::RankDriver(const RankDriver& other)
    : Driver<T>(other),
      session_(other.session_),
      ranks_([&] {
          expect_agreement(*other.ranks_, call_of<T>("Solver(const Solver&)"));
          return other.ranks_->duplicate();
      }()),
      number_(other.number_.session(), *ranks_),
      team_(*ranks_, other.team_.channel()),
      tree_(other.tree_, team_, number_.get()),
      local_(other.local_),
      present_(other.present_),
      analysis_report_(other.analysis_report_),
      seconds_(other.seconds_) {
    team_.share_workers(state_of(session_)->cpu_workers(), state_of(session_)->gpus());
    seconds_ += idle_seconds();  // of this constructor, which has no clock
}

template <class T>
double RankDriver<T>::idle_seconds() {
    return ranks_->counts().idle_seconds + team_.ranks().counts().idle_seconds;
}

/// Analysis and factors of another pattern are to come.
template <class T>
void RankDriver<T>::forget() {
    local_.forget_factors();
    if (present_.is_distributed) local_.forget();  // should the next analysis fail, there is none
    present_ = {};
    systems_ = {};
    tree_.forget();
}

/// Brings the solver into the state before any call.
template <class T>
void RankDriver<T>::forget_all() {
    forget();
    local_.forget();
    input_report_ = {};
}

template <class T>
void RankDriver<T>::analyze(const GivenMatrix<T>& a) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("analyze"));
    InputReport input;
    const RankPart<T> part = agreed_part(a, input);
    const Values values = values_of(part);
    forget();
    keeps_rows(values, 0) ? analyze_rows(values, options_.factorization) : analyze_whole(values, 0);
    remember(part, values.plan);
    input_report_ = input;
}

template <class T>
void RankDriver<T>::analyze_whole(const Values& a, count_t budget) {
    expect_room(a, false, budget);
    const BlockPattern& pattern = *a.plan->pattern();
    const WholeMatrix<T> whole = gather_matrix(*ranks_, pattern, *a.value);
    tree_.conduct(nullptr, [&](const std::atomic<bool>*) {
        with_view(whole, pattern.symmetry, [&](const auto& view) { local_.analyze(given_matrix<T>(view)); });
        analysis_report_ = local_.analysis_report();
    });
    share(*ranks_, analysis_report_);
    present_.is_analysed = present_.local_has_order = true;
}

template <class T>
void RankDriver<T>::use(const std::shared_ptr<const Analysis>& analysis) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, call_of<T>("use"));
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        local_.use(analysis);
        analysis_report_ = analysis->report;
        present_.is_distributed = false;  // forget() leaves this analysis where it is
    });
    forget();
    AnalysisOptions taken = analysis_options_of_rank_0(*ranks_, local_.options());
    collectively(*ranks_, [&] { options_ = ranks_->rank() == 0 ? local_.options() : std::move(taken); });
    input_report_ = {};
    share(*ranks_, analysis_report_);
    present_.is_analysed = true;
}

template <class T>
const AnalysisReport& RankDriver<T>::analysis_report() const {
    FROND_EXPECTS(present_.is_analysed, "nothing was analysed: call analyze()");
    return analysis_report_;
}

template <class T>
const FactorReport& RankDriver<T>::factor_report() const {
    FROND_EXPECTS(present_.has_factors, "nothing was factored: call factor()");
    return factor_report_;
}

/// An error may have taken rank 0's.
template <class T>
bool RankDriver<T>::has_factors() const {
    return present_.has_factors && (ranks_->rank() > 0 || bool(local_.factors()));
}

template <class T>
void RankDriver<T>::expect_factors(const char* call) {
    collectively(
        *ranks_,
        [&] { FROND_EXPECTS(has_factors(), std::string("there is nothing to ") + call + " with; call factor()"); },
        NameRank::no);
}

#define FROND_INSTANTIATE(T) template class RankDriver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
