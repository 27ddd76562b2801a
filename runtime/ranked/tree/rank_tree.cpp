// SPDX-License-Identifier: BSD-3-Clause
// Which trees the ranks of a solver share, and what they answer to rank 0.
#include "ranked/tree/rank_tree.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ranked/dealt/dealt_entries.hpp"
#include "ranked/dealt/dense_mapping.hpp"
#include "ranked/tree/sharing.hpp"

namespace frond::detail {
namespace {

bool is_of_rank_0(const RankMapping& mapping) {
    return std::all_of(mapping.grid.begin(), mapping.grid.end(),
                       [](const RankGrid& grid) { return grid.rank.size() == 1 && grid.rank.front() == 0; });
}

/// Object::of_this_thread() while this lives.
template <class Object>
class InThisThread {
public:
    explicit InThisThread(Object& object) : before_(std::exchange(Object::of_this_thread(), &object)) {}
    InThisThread(const InThisThread&) = delete;
    InThisThread& operator=(const InThisThread&) = delete;
    ~InThisThread() { Object::of_this_thread() = before_; }

private:
    Object* before_;
};

}  // namespace

template <class T>
RankTree<T>::RankTree(Team& team, std::shared_ptr<SessionState> session, std::int64_t solver)
    : team_(team), session_(std::move(session)), solver_(solver) {}

template <class T>
RankTree<T>::RankTree(const RankTree& other, Team& team, std::int64_t solver)
    : team_(team),
      session_(other.session_),
      solver_(solver),
      number_(other.number_),
      analysis_(other.analysis_),
      mapping_(other.mapping_),
      branches_(other.branches_),
      mapped_(other.mapped_),
      mapped_for_(other.mapped_for_),
      shares_new_mapping_(other.shares_new_mapping_),
      memory_budget_bytes_(other.memory_budget_bytes_),
      part_(other.part_),
      dense_(other.dense_ == nullptr
                 ? nullptr
                 : std::make_shared<const RankedDense<T>>(team, other.session_, other.dense_->part())),
      rows_(other.rows_ == nullptr
                ? nullptr
                : std::make_shared<const RankedSparse<T>>(team, other.session_, other.rows_->rows())),
      shares_(other.shares_),
      factors_(other.factors_) {}

template <class T>
void RankTree<T>::set_dense(DensePart<T> part) {
    dense_ = std::make_shared<const RankedDense<T>>(team_, session_, std::move(part));
}

template <class T>
void RankTree<T>::set_rows(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RankMapping> mapping,
                           ScaledRows<T> rows) {
    dense_ = nullptr;
    rows_ = std::make_shared<const RankedSparse<T>>(team_, session_, std::move(rows));
    if (analysis_ != analysis || mapping_ != mapping) branches_ = nullptr;
    if (mapping_ != mapping) mapped_.reset();
    analysis_ = std::move(analysis);
    mapping_ = std::move(mapping);
    shares_new_mapping_ = false;
}

template <class T>
void RankTree<T>::conduct(const std::atomic<bool>* cancel,
                          const std::function<void(const std::atomic<bool>* stop)>& work) {
    const auto conducting = [&](const std::atomic<bool>* stop) {
        const InThisThread<OtherRanks<T>> others(*this);
        const InThisThread<DistributedOrdering> ordering(ordering_);
        work(stop);
    };
    team_.conduct(cancel, conducting,
                  [this](Command command, const std::vector<std::byte>& bytes) { serve(command, bytes); });
}

template <class T>
std::shared_ptr<const TreeShare> RankTree<T>::share(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    if (rows_ != nullptr)
        return share_of_rows(analysis, rule_of<T>(analysis, state.report.pivoting == Pivoting::threshold));
    if (state.factors.selects_rows == SelectsRows::rank_0) return nullptr;
    const MessageRule rule = rule_of<T>(analysis, state.report.pivoting == Pivoting::threshold,
                                        state.factors.selects_rows == SelectsRows::all_ranks);
    if (!maps(state.analysis, rule, bool(state.system.dense()))) return nullptr;
    ++number_;
    const std::shared_ptr<const TreeShare> share = share_of(analysis, rule);
    shares_.push_back(share);
    return share;
}

template <class T>
bool RankTree<T>::maps(const std::shared_ptr<const Analysis>& analysis, Pivoting pivoting) {
    return maps(analysis, rule_of<T>(*analysis, pivoting == Pivoting::threshold), false);
}

template <class T>
bool RankTree<T>::maps(const std::shared_ptr<const Analysis>& analysis, const MessageRule& rule, bool is_dense) {
    if (team_.channel() == nullptr || team_.ranks().size() == 1 || analysis->tree.fronts.empty()) return false;
    if (!pays_to_share(*analysis, is_complex<T>, session_->has_devices())) return false;
    if (mapped_.lock() != analysis || mapped_for_ != rule) map(analysis, rule, is_dense);
    return !is_of_rank_0(*mapping_) && fits_messages(*mapping_, rule);  // tiles that the caller asked for may not
}

/// Where each rank has its part of the analysis, rank 0 cannot do without the others.
template <class T>
std::shared_ptr<const TreeShare> RankTree<T>::share_of_rows(const Analysis& analysis, const MessageRule& rule) {
    ++number_;
    const std::shared_ptr<const TreeShare> share = share_of(analysis, rule);
    if (!fits_messages(share->mapping, share->rule))
        throw InvalidArgument("tile_size: tiles of more than " + std::to_string(largest_message_bytes) +
                              " bytes are not sent; choose a smaller one");
    shares_.push_back(share);
    return share;
}

template <class T>
void RankTree<T>::map(const std::shared_ptr<const Analysis>& whole, const MessageRule& rule, bool is_dense) {
    const Analysis& analysis = *whole;
    // The rates of cards would give a little tree to one rank.
    const RankMachine machine = machine_of(team_.workers(), share_always() ? std::vector<count_t>() : team_.cards());
    std::optional<RankMapping> mapping;
    if (rule.exchanges_rows)
        mapping = mapping_by_columns(analysis, team_.ranks().size());
    else if (is_dense)
        mapping = dense_->mapping_of_layout(analysis);
    if (!mapping) mapping = map_tree(analysis, machine, rule);
    mapping_ = std::make_shared<const RankMapping>(std::move(*mapping));
    branches_ = nullptr;
    mapped_ = whole;
    mapped_for_ = rule;
    shares_new_mapping_ = true;
    if (analysis_ != whole) analysis_ = nullptr;  // the others do not have it as yet
}

template <class T>
void RankTree<T>::serve(Command command, const std::vector<std::byte>& bytes) {
    Unpacker arguments(bytes);
    try {
        if (command == Command::order)
            serve_ordering(team_.ranks());
        else if (command == Command::dense)
            dense_->serve(arguments);
        else if (command == Command::sparse)
            rows_->serve(arguments);
        else if (command == Command::deal)
            serve_deal(arguments);
        else if (command == Command::factor)
            serve_factorization(arguments);
        else
            serve_substitution(arguments);
    } catch (const Error&) {  // rank 0 throws the same, and decides what follows
        team_.board().watch(nullptr, 0);
    }
}

template <class T>
std::shared_ptr<const TreeShare> RankTree<T>::share_of(const Analysis& analysis, const MessageRule& rule) {
    auto share = std::make_shared<TreeShare>(TreeShare{mapping_});
    make_branches(analysis);
    share->of_devices = branches_;
    share->rule = rule;
    share->channel = team_.channel();
    share->solver = solver_;
    share->number = number_;
    return share;
}

template <class T>
void RankTree<T>::make_branches(const Analysis& analysis) {
    if (branches_ == nullptr && session_->has_devices() && dense_ == nullptr)
        branches_ = std::make_shared<const Branches>(branches_of(analysis, *mapping_, team_.ranks().rank()));
}

#define FROND_INSTANTIATE(T) template class RankTree<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
