// SPDX-License-Identifier: BSD-3-Clause
// Factorization by several ranks.
#include "ranked/rank_tree.hpp"

#include <algorithm>
#include <utility>

#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/error.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/dealt_entries.hpp"
#include "ranked/dealt/local_analysis.hpp"
#include "ranked/pivot_parcel.hpp"
#include "ranked/sharing.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {
namespace {

bool is_of_rank_0(const Analysis& analysis, const TreeShare& share) {
    for (index_t f = 0; f < analysis.tree.front_count(); ++f)
        if (share.has_shared_tiles(f) || share.owner(f) != 0) return false;
    return true;
}

/// Tables of ranks, one after the other.
std::vector<index_t> packed_grids(const RankMapping& mapping) {
    std::vector<index_t> packed;
    for (const RankGrid& grid : mapping.grid) {
        packed.insert(packed.end(), {grid.rows, grid.cols});
        packed.insert(packed.end(), grid.rank.begin(), grid.rank.end());
    }
    return packed;
}

std::vector<RankGrid> unpacked_grids(const std::vector<index_t>& packed) {
    std::vector<RankGrid> grids;
    for (auto next = packed.begin(); next != packed.end();) {
        RankGrid& grid = grids.emplace_back();
        grid.rows = *next++;
        grid.cols = *next++;
        const auto end = next + static_cast<std::ptrdiff_t>(grid.rows) * grid.cols;
        grid.rank.assign(next, end);
        next = end;
    }
    return grids;
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

/// What precedes the analysis in a command to factor.
template <class T>
struct FactorCommand {
    std::int64_t number = 0;
    std::vector<std::int64_t> alive;
    Pivoting pivoting = Pivoting::threshold;
    typename OtherRanks<T>::Factoring how;
    bool brings_mapping = false;  // and each rank's part of the analysis
    bool can_be_cancelled = true;  // earlier factors that are made again after a cancellation cannot
    std::vector<double> row_scale, column_scale;  // of a dense A, which each rank scales itself

    template <class Archive>
    void visit(Archive& archive) {
        archive(number, alive, pivoting, how, brings_mapping, can_be_cancelled, row_scale, column_scale);
    }
};

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
      is_mapped_for_threshold_(other.is_mapped_for_threshold_),
      shares_new_mapping_(other.shares_new_mapping_),
      memory_budget_bytes_(other.memory_budget_bytes_),
      part_(other.part_),
      dense_(other.dense_ == nullptr
                 ? nullptr
                 : std::make_shared<const RankedDense<T>>(team, other.session_, other.dense_->part())),
      shares_(other.shares_),
      factors_(other.factors_) {}

template <class T>
void RankTree<T>::set_dense(DensePart<T> part) {
    dense_ = std::make_shared<const RankedDense<T>>(team_, session_, std::move(part));
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
    if (team_.channel() == nullptr || team_.ranks().size() == 1) return nullptr;
    if (session_->has_devices() || !pays_to_share(analysis, is_complex<T>)) return nullptr;
    if (state.selects_rows || analysis.tree.fronts.empty()) return nullptr;  // whole tile columns exchange rows
    const bool threshold = state.report.pivoting == Pivoting::threshold;
    // Where too many columns fail, rank 0 begins anew and exchanges rows: only tasks of its own can tell it so.
    if (state.dense && threshold && analysis.factorization != Factorization::llt) return nullptr;
    if (analysis_ != state.analysis || mapping_ == nullptr || is_mapped_for_threshold_ != threshold) {
        mapping_ =
            std::make_shared<const RankMapping>(map_tree(analysis, team_.workers(), rule_of<T>(analysis, threshold)));
        is_mapped_for_threshold_ = threshold;
        shares_new_mapping_ = true;
        if (analysis_ != state.analysis) analysis_ = nullptr;  // the others do not have it as yet
    }
    ++number_;
    const std::shared_ptr<const TreeShare> share = share_of(analysis, threshold);
    if (is_of_rank_0(analysis, *share)) return nullptr;
    if (!fits_messages(share->mapping, share->rule)) return nullptr;  // tiles that the caller asked for may not
    shares_.push_back(share);
    return share;
}

/// Of all factorizations whose factors somebody may still use, on rank 0.
template <class T>
std::vector<std::int64_t> RankTree<T>::alive_factors() {
    std::vector<std::int64_t> alive;
    std::erase_if(shares_, [&](const std::weak_ptr<const TreeShare>& known) {
        const auto share = known.lock();
        if (share != nullptr) alive.push_back(share->number);
        return share == nullptr;
    });
    return alive;
}

template <class T>
void RankTree<T>::begin_factorization(const FactorsState<T>& state, const T* entries, const Factoring& how) {
    FactorCommand<T> command{state.share->number,
                             alive_factors(),
                             state.report.pivoting,
                             how,
                             shares_new_mapping_,
                             how.can_be_cancelled,
                             {},
                             {}};
    if (state.dense) {
        command.row_scale = state.scaling->row;
        command.column_scale = state.scaling->column;
    }
    Packer pack;
    command.visit(pack);
    if (command.brings_mapping) {
        const std::vector<index_t> grids = packed_grids(state.share->mapping);
        pack(grids);
    }
    team_.command(Command::factor, pack);
    collectively(team_.ranks(), [] {});
    if (command.brings_mapping) deal_analysis(state.analysis);
    collectively(team_.ranks(), [] {});
    deal_entries(*state.analysis, *state.share, entries, nullptr);
    begin_counting();
}

/// Each rank's part, from rank 0, which has the memory of one of them at a time.
template <class T>
void RankTree<T>::deal_analysis(const std::shared_ptr<const Analysis>& whole) {
    Communicator& ranks = team_.ranks();
    const bool sends = ranks.rank() == 0;
    analysis_ = nullptr;
    for (index_t r = 1; r < ranks.size(); ++r) {
        std::vector<std::byte> part;
        collectively(ranks, [&] {
            if (sends) part = packed_analysis(local_analysis(*whole, *mapping_, r));
        });
        std::vector<count_t> begin(at(ranks.size()) + 1, 0);
        for (index_t next = r + 1; next <= ranks.size(); ++next) begin[at(next)] = static_cast<count_t>(part.size());
        const std::vector<std::byte> mine = from_rank_0<std::byte>(ranks, part, begin);
        collectively(ranks, [&] {
            if (ranks.rank() == r) analysis_ = unpacked_analysis(mine);
        });
    }
    if (!sends) return;
    analysis_ = whole;
    shares_new_mapping_ = false;
}

template <class T>
index_t RankTree<T>::failing_unit() const {
    return detail::failing_unit();
}

template <class T>
void RankTree<T>::deal_entries(const Analysis& analysis, const TreeShare& share, const T* all, T* mine) {
    const auto ranks = at(share.ranks());
    const bool sends = share.rank() == 0;
    std::vector<count_t> out_sizes(ranks, 0), in_sizes(ranks, 0);
    for (index_t r = 1; r < share.ranks() && sends; ++r) out_sizes[at(r)] = entries_of_rank(analysis, share, r);
    if (!sends) in_sizes[0] = static_cast<count_t>(analysis.entry_map.row.size());  // a part has no others
    const std::vector<count_t> out_begin = begin_of_sizes(out_sizes), in_begin = begin_of_sizes(in_sizes);
    std::vector<T> out;
    collectively(team_.ranks(), [&] { out.resize(at(out_begin.back())); });
    T* to = out.data();
    for (index_t r = 1; r < share.ranks() && sends; ++r)
        for_each_entries(analysis, share.mapping, r,
                         [&](count_t begin, count_t end) { to = std::copy(all + begin, all + end, to); });
    exchange_parcels<T>(team_.ranks(), out, out_begin, {mine, at(in_begin.back())}, in_begin);
}

template <class T>
void RankTree<T>::end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) {
    team_.board().watch(nullptr, 0);
    team_.throw_cause(std::move(error));
    part_.factor_messages = end_counting();
    keep_part(state);
    gather_pivots(state, pivots);
}

template <class T>
void RankTree<T>::keep_part(const FactorsState<T>& state) {
    part_.analysis_bytes = analysis_bytes(*state.analysis);
    part_.factor_bytes = predict_peak<T>(*state.analysis, 1, state.share.get()).factor_bytes;
    part_.peak_bytes = state.report.memory.peak_bytes;
    part_.peak_bytes_predicted = state.report.memory.peak_bytes_predicted;
    part_.flops = state.report.work.flops;
}

template <class T>
void RankTree<T>::begin_counting() {
    before_ = team_.channel()->counts();
}

template <class T>
MessageCounts RankTree<T>::end_counting() {
    MessageCounts counts = team_.channel()->counts();
    for (const auto field : {&MessageCounts::sent_messages, &MessageCounts::received_messages,
                             &MessageCounts::sent_bytes, &MessageCounts::received_bytes}) {
        counts.*field -= before_.*field;
        part_.messages.*field += counts.*field;
    }
    return counts;
}

/// To rank 0, whose state and report take what the others found.
template <class T>
void RankTree<T>::gather_pivots(FactorsState<T>& state, PivotReport& pivots) {
    const bool is_first = state.share->rank() == 0;
    Parcels<std::byte> out;
    collectively(team_.ranks(), [&] {
        Packer pack;
        if (!is_first) {
            FactoredPart part{pivots,
                              part_.flops,
                              state.report.work.tasks,
                              part_.factor_bytes,
                              part_.peak_bytes,
                              part_.peak_bytes_predicted,
                              state.report.work.front_seconds};
            part.visit(pack);
            pack_pivots(pack, state);
        }
        out.data = pack.bytes();
        std::vector<count_t> sizes(at(state.share->ranks()), 0);
        sizes[0] = static_cast<count_t>(out.data.size());
        out.begin = begin_of_sizes(sizes);
    });
    const Parcels<std::byte> in = exchanged(team_.ranks(), out);
    collectively(team_.ranks(), [&] {
        if (!is_first) return;
        auto remote = std::make_shared<RemotePivots<T>>();
        for (index_t r = 1; r < state.share->ranks(); ++r) {
            const auto bytes = in.of(r);
            const std::vector<std::byte> parcel(bytes.begin(), bytes.end());
            Unpacker unpack(parcel);
            FactoredPart part;
            part.visit(unpack);
            part.add_to(state.report, pivots);
            remote->factor_bytes += part.factor_bytes;
            unpack_pivots(unpack, *remote);
        }
        state.remote_pivots = std::move(remote);
    });
    share_second_pass_positions(state);
}

/// On all ranks those of all, by their fronts.
template <class T>
void RankTree<T>::share_second_pass_positions(FactorsState<T>& state) {
    std::map<index_t, std::vector<index_t>> all;
    for (index_t r = 0; r < state.share->ranks(); ++r) {
        std::vector<std::byte> bytes;
        collectively(team_.ranks(), [&] {
            if (r != state.share->rank()) return;
            Packer pack;
            for (const SecondPassPositions& list : own_second_pass_positions(state)) pack(list.front, list.positions);
            bytes = pack.bytes();
        });
        broadcast_bytes(team_.ranks(), bytes, r);
        collectively(team_.ranks(), [&] {
            Unpacker unpack(bytes);
            while (!unpack.is_at_end()) {
                SecondPassPositions list;
                unpack(list.front, list.positions);
                all[list.front] = std::move(list.positions);
            }
        });
    }
    where_large(team_.ranks(), static_cast<count_t>(all.size() * sizeof(SecondPassPositions)), [&] {
        state.second_pass_positions.clear();
        for (auto& [front, positions] : all) state.second_pass_positions.push_back({front, std::move(positions)});
    });
}

template <class T>
void RankTree<T>::serve(Command command, const std::vector<std::byte>& bytes) {
    Unpacker arguments(bytes);
    try {
        if (command == Command::order)
            serve_ordering(team_.ranks());
        else if (command == Command::dense)
            dense_->serve(arguments);
        else if (command == Command::factor)
            serve_factorization(arguments);
        else
            serve_substitution(arguments);
    } catch (const Error&) {  // rank 0 throws the same, and decides what follows
        team_.board().watch(nullptr, 0);
    }
}

/// What precedes the part of the analysis.
template <class T>
void RankTree<T>::take(const FactorCommand<T>& command) {
    number_ = command.number;
    std::erase_if(factors_, [&](const auto& known) {
        return std::find(command.alive.begin(), command.alive.end(), known.first) == command.alive.end();
    });
}

template <class T>
std::shared_ptr<const TreeShare> RankTree<T>::share_of(const Analysis& analysis, bool threshold) const {
    auto share = std::make_shared<TreeShare>(TreeShare{mapping_});
    share->rule = rule_of<T>(analysis, threshold);
    share->channel = team_.channel();
    share->solver = solver_;
    share->number = number_;
    return share;
}

template <class T>
std::shared_ptr<FactorsState<T>> RankTree<T>::state_for(const FactorCommand<T>& command) const {
    auto state = std::make_shared<FactorsState<T>>();
    state->session = session_;
    state->analysis = analysis_;
    state->report.pivoting = command.pivoting;
    state->largest_entry = command.how.largest_entry;
    if (dense_ != nullptr) state->dense = dense_->part().view();
    state->share = share_of(*analysis_, command.pivoting == Pivoting::threshold);
    return state;
}

/// Null: A is sparse, and its entries come with the command.
template <class T>
std::unique_ptr<DenseLoading<T>> RankTree<T>::loading_for(const FactorsState<T>& state, const Scaling& scaling) const {
    if (dense_ == nullptr) return nullptr;
    return dense_->shared_loading(analysis_->mapping.grids.front(), analysis_->factorization, scaling, *state.share);
}

template <class T>
void RankTree<T>::serve_factorization(Unpacker& arguments) {
    const HeapUse heap_use(host_heap());  // the new factors find the pages of the old ones
    std::shared_ptr<FactorsState<T>> state;
    std::optional<UnitFactorization<T>> units;
    std::optional<JobGuard> guard;
    HostBlock entries;
    FactorCommand<T> command;
    std::vector<index_t> grids;
    Scaling scaling;
    std::unique_ptr<DenseLoading<T>> loading;
    collectively(team_.ranks(), [&] {
        command.visit(arguments);
        if (command.brings_mapping) arguments(grids);
        take(command);
    });
    if (command.brings_mapping) deal_analysis(nullptr);
    collectively(team_.ranks(), [&] {
        if (command.brings_mapping)
            mapping_ = std::make_shared<const RankMapping>(
                mapping_of_grids(analysis_->tree, analysis_->mapping, unpacked_grids(grids), team_.channel()->ranks()));
        state = state_for(command);
        guard.emplace(*session_);
        entries = HostBlock(static_cast<count_t>(analysis_->entry_map.row.size() * sizeof(T)));
        typename UnitFactorization<T>::Input input;
        input.entries = static_cast<T*>(entries.data());
        input.rule = command.how.rule;
        input.memory_budget_bytes = memory_budget_bytes_;
        input.failing_unit = failing_unit();
        if (command.can_be_cancelled) input.cancel = &team_.board().stop();
        units.emplace(*state, predict_peak<T>(*analysis_, session_->cpu_workers(), state->share.get()), input);
        scaling.row = std::move(command.row_scale);
        scaling.column = std::move(command.column_scale);
        loading = loading_for(*state, scaling);
        units->context().loading = loading.get();
    });
    deal_entries(*analysis_, *state->share, nullptr, static_cast<T*>(entries.data()));
    begin_counting();
    PivotReport pivots;
    team_.throw_cause(run(*units, *state, pivots));
    part_.factor_messages = end_counting();
    keep_part(*state);
    gather_pivots(*state, pivots);
    factors_[number_] = std::move(state);
}

/// The error of this rank, or null.
template <class T>
std::exception_ptr RankTree<T>::run(UnitFactorization<T>& units, FactorsState<T>& state, PivotReport& pivots) {
    const JobWatch<OtherRanks<T>> watch(*this, units.job(), number_);
    units.submit();
    units.end_loading();
    units.finish();
    try {
        units.job().wait();
        units.collect(state.report, pivots);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

#define FROND_INSTANTIATE(T) template class RankTree<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
