// SPDX-License-Identifier: BSD-3-Clause
// What is asked in addition to solutions: products with A, and of the factors what rank 0 computes with the
// substitutions of all.
#include <array>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/condition.hpp"
#include "frond/enum_text.hpp"
#include "frond/null_space.hpp"
#include "factors/state_of.hpp"
#include "memory/predict_peak.hpp"
#include "ranked/call_clock.hpp"
#include "ranked/option_values.hpp"
#include "driver/rank_driver.hpp"

namespace frond::detail {

template <class T>
ConditionEstimate RankDriver<T>::condition(const std::atomic<bool>* cancel) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, {{"the call", "Solver::condition"}});
    expect_factors("estimate");
    ConditionEstimate estimate;
    tree_.conduct(cancel, [&](const std::atomic<bool>* stop) { estimate = local_.condition(stop); });
    ranks_->broadcast(std::as_writable_bytes(std::span(&estimate, 1)), 0);
    return estimate;
}

template <class T>
NullSpace<T> RankDriver<T>::null_vectors(Operation operation, const std::atomic<bool>* cancel) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, {{"the call", "Solver::null_vectors"}, {"operation", to_string(operation)}});
    expect_factors("find null vectors");
    NullSpace<T> space;
    tree_.conduct(cancel, [&](const std::atomic<bool>* stop) { space = local_.null_vectors(operation, stop); });
    const auto on_all_ranks = [&](auto& field) { ranks_->broadcast(std::as_writable_bytes(std::span(&field, 1)), 0); };
    on_all_ranks(space.rows);
    on_all_ranks(space.dimension);
    on_all_ranks(space.residual);
    return space;
}

template <class T>
void RankDriver<T>::multiply(Operation operation, BlockView<const T> x_view, BlockView<T> y_view) {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, NamedValues{{"the call", "Solver::multiply"},
                                          {"operation", to_string(operation)},
                                          {"the columns of X", std::to_string(x_view.cols)},
                                          {"the columns of Y", std::to_string(y_view.cols)}});
    expect_factors("multiply");
    DenseView<const T> x;
    DenseView<T> y;
    collectively(*ranks_, [&] {
        x = rank_view<T>(x_view, "X");
        y = rank_view<T>(y_view, "Y");
        FROND_EXPECTS(x.cols == y.cols, "X and Y have other numbers of columns; give both the same number");
    });
    const RowCuts& cuts = this->cuts();
    const RowPlan x_plan = plan_of_rows(*ranks_, cuts, x.rows, x_view.row_map, RowsGiven::once, "X");
    const RowPlan y_plan = plan_of_rows(*ranks_, cuts, y.rows, y_view.row_map, RowsGiven::any, "Y");
    const index_t rows = cuts.rows(ranks_->rank());
    std::vector<T> x_block, y_block;
    collectively(*ranks_, [&] {
        x_block.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(x.cols));
        y_block.resize(x_block.size());
    });
    const auto view = [&](std::vector<T>& v) {
        return DenseView<T>{v.data(), rows, x.cols, std::max<index_t>(rows, 1)};
    };
    x_plan.to_blocks<T>(*ranks_, x, view(x_block));
    if (present_.is_dense)
        multiply_dense(operation, view(x_block), view(y_block));
    else
        system(operation).applied().multiply(view(x_block), view(y_block));
    y_plan.from_blocks<T>(*ranks_, view(y_block), y);
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> RankDriver<T>::log_determinant() {
    const CallClock clock(seconds_);
    expect_agreement(*ranks_, {{"the call", "Solver::log_determinant"}});
    expect_factors("find a determinant");
    std::optional<typename Factors<T>::LogDeterminant> determinant;
    collectively(*ranks_, [&] {
        if (ranks_->rank() == 0) determinant = local_.log_determinant();
    });
    std::array<count_t, 1> known{determinant ? 1 : 0};
    ranks_->all_reduce_max(known);
    if (known[0] == 0) return std::nullopt;
    if (!determinant) determinant.emplace();
    ranks_->broadcast(std::as_writable_bytes(std::span(&*determinant, 1)), 0);
    return determinant;
}

/// What this rank has of the factors, and had to do for them.
template <class T>
void RankDriver<T>::fill_part(RankReport& mine) const {
    enum : count_t { none, of_rank_0, of_all };
    std::vector<count_t> whose{none};
    if (mine.rank == 0 && present_.has_factors && bool(local_.factors()))
        whose[0] = state_of(local_.factors())->factors.ownership.is_alone() ? of_rank_0 : of_all;
    ranks_->all_reduce_max(whose);
    if (whose[0] == none || (whose[0] == of_rank_0 && mine.rank > 0)) return;
    const bool is_shared = whose[0] == of_all;
    const auto& part = tree_.part();
    if (is_shared) {
        mine.analysis_bytes = part.analysis_bytes;
        mine.factor_bytes = part.factor_bytes;
        mine.peak_bytes += part.peak_bytes;
        mine.peak_bytes_predicted += part.peak_bytes_predicted;
        mine.flops = part.flops;
        mine.factor_bytes_sent = part.factor_messages.sent_bytes;
        mine.factor_bytes_received = part.factor_messages.received_bytes;
        mine.factor_messages_sent = part.factor_messages.sent_messages;
        mine.factor_messages_received = part.factor_messages.received_messages;
        mine.factor_bytes_from_devices = part.factor_messages.bytes_from_devices;
    } else {
        mine.analysis_bytes = analysis_bytes(*state_of(local_.factors())->analysis);
        mine.factor_bytes = factor_report_.memory.factor_bytes;
        mine.peak_bytes += factor_report_.memory.peak_bytes;
        mine.peak_bytes_predicted += factor_report_.memory.peak_bytes_predicted;
        mine.flops = factor_report_.work.flops;
    }
}

template <class T>
std::vector<RankReport> RankDriver<T>::rank_reports() {
    const CallClock clock(seconds_);
    const CommunicatorCounts counts = ranks_->counts();  // before this call waits, since its seconds are not over
    expect_agreement(*ranks_, NamedValues{{"the call", "Solver::rank_reports"}});
    RankReport mine;
    mine.rank = ranks_->rank();
    mine.seconds = seconds_;
    const CommunicatorCounts working = team_.ranks().counts();  // of the threads that worked
    const MessageCounts& tree = tree_.part().messages;
    mine.bytes_sent = counts.bytes_sent + working.bytes_sent + tree.sent_bytes;
    mine.bytes_received = counts.bytes_received + working.bytes_received + tree.received_bytes;
    mine.messages_sent = counts.messages_sent + working.messages_sent + tree.sent_messages;
    mine.messages_received = counts.messages_received + working.messages_received + tree.received_messages;
    mine.tree_bytes_sent = tree.sent_bytes;
    mine.tree_messages_sent = tree.sent_messages;
    mine.idle_seconds = counts.idle_seconds + working.idle_seconds;  // one of them waits at a time
    if (present_.a.plan != nullptr)
        mine.peak_bytes = mine.peak_bytes_predicted =
            present_.a.plan->bytes() + present_.value_memory.bytes_beside_values();
    if (present_.of_rows.route != nullptr) {
        mine.peak_bytes += present_.of_rows.route->bytes();
        mine.peak_bytes_predicted += present_.of_rows.route->bytes();
    }
    fill_part(mine);
    std::vector<RankReport> all(static_cast<std::size_t>(ranks_->size()));
    for (index_t r = 0; r < ranks_->size(); ++r) {
        RankReport& report = all[static_cast<std::size_t>(r)];
        if (r == mine.rank) report = mine;
        ranks_->broadcast(std::as_writable_bytes(std::span(&report, 1)), r);
    }
    return all;
}

#define FROND_INSTANTIATE(T)                                                                      \
    template ConditionEstimate RankDriver<T>::condition(const std::atomic<bool>*);                \
    template NullSpace<T> RankDriver<T>::null_vectors(Operation, const std::atomic<bool>*);       \
    template void RankDriver<T>::multiply(Operation, BlockView<const T>, BlockView<T>);           \
    template std::optional<typename Factors<T>::LogDeterminant> RankDriver<T>::log_determinant(); \
    template void RankDriver<T>::fill_part(RankReport&) const;                                    \
    template std::vector<RankReport> RankDriver<T>::rank_reports();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
