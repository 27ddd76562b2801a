// SPDX-License-Identifier: BSD-3-Clause
// Factorization by several ranks.
#include "ranked/rank_tree.hpp"

#include <algorithm>
#include <utility>

#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt_entries.hpp"
#include "ranked/pivot_parcel.hpp"
#include "ranked/sharing.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"
#include "submit/fronts/unit_factorization.hpp"

namespace frond::detail {
namespace {

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

}  // namespace

/// What precedes the analysis in a command to factor.
template <class T>
struct FactorCommand {
    std::int64_t number = 0;
    std::vector<std::int64_t> alive;
    Pivoting pivoting = Pivoting::threshold;
    typename OtherRanks<T>::Factoring how;
    bool brings_analysis = false, brings_mapping = false;
    bool can_be_cancelled = true;  // earlier factors that are made again after a cancellation cannot

    template <class Archive>
    void visit(Archive& archive) {
        archive(number, alive, pivoting, how, brings_analysis, brings_mapping, can_be_cancelled);
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
      shares_(other.shares_),
      factors_(other.factors_) {}

template <class T>
void RankTree<T>::conduct(const std::atomic<bool>* cancel,
                          const std::function<void(const std::atomic<bool>* stop)>& work) {
    const auto conducting = [&](const std::atomic<bool>* stop) {
        OtherRanks<T>*& others = OtherRanks<T>::of_this_thread();
        OtherRanks<T>* const before = std::exchange(others, this);
        try {
            work(stop);
        } catch (...) {
            others = before;
            throw;
        }
        others = before;
    };
    team_.conduct(cancel, conducting,
                  [this](Command command, const std::vector<std::byte>& bytes) { serve(command, bytes); });
}

template <class T>
std::shared_ptr<const TreeShare> RankTree<T>::share(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    if (team_.channel() == nullptr || team_.ranks().size() == 1) return nullptr;
    if (session_->has_devices() || !pays_to_share(analysis, is_complex<T>)) return nullptr;
    const bool threshold = state.report.pivoting == Pivoting::threshold;
    if (analysis_ != state.analysis || mapping_ == nullptr || is_mapped_for_threshold_ != threshold) {
        mapping_ = std::make_shared<const RankMapping>(
            map_tree(analysis, team_.workers(), rule_of<T>(analysis, threshold), team_.has_cores_for_messages()));
        is_mapped_for_threshold_ = threshold;
        shares_new_mapping_ = true;
        if (analysis_ != state.analysis) analysis_ = nullptr;  // the others do not have it as yet
    }
    ++number_;
    const std::shared_ptr<const TreeShare> share = share_of(analysis, threshold);
    if (entries_of_rank(analysis, *share, 0) == static_cast<count_t>(analysis.entry_map.source.size())) return nullptr;
    if (!are_sendable(*share)) return nullptr;
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
    FactorCommand<T> command{state.share->number,         alive_factors(),     state.report.pivoting, how,
                             analysis_ != state.analysis, shares_new_mapping_, how.can_be_cancelled};
    Packer pack;
    command.visit(pack);
    if (command.brings_analysis) {
        const std::vector<std::byte> analysis = packed_analysis(*state.analysis);
        pack(analysis);
    }
    if (command.brings_mapping) {
        const std::vector<index_t> grids = packed_grids(state.share->mapping);
        pack(grids);
    }
    team_.command(Command::factor, pack);
    collectively(team_.ranks(), [] {});
    analysis_ = state.analysis;
    shares_new_mapping_ = false;
    deal_entries(*state.analysis, *state.share, entries, nullptr);
    begin_counting();
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
    if (!sends) in_sizes[0] = entries_of_rank(analysis, share, share.rank());
    const std::vector<count_t> out_begin = begin_of_sizes(out_sizes), in_begin = begin_of_sizes(in_sizes);
    std::vector<T> out, in;
    collectively(team_.ranks(), [&] {
        out.resize(at(out_begin.back()));
        in.resize(at(in_begin.back()));
    });
    T* to = out.data();
    for (index_t r = 1; r < share.ranks() && sends; ++r)
        for_each_entries(analysis, share, r,
                         [&](count_t begin, count_t end) { to = std::copy(all + begin, all + end, to); });
    exchange_parcels<T>(team_.ranks(), out, out_begin, in, in_begin);
    const T* from = in.data();
    if (sends) return;
    for_each_entries(analysis, share, share.rank(), [&](count_t begin, count_t end) {
        std::copy(from, from + (end - begin), mine + begin);
        from += end - begin;
    });
}

template <class T>
void RankTree<T>::end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) {
    team_.board().watch(nullptr, 0);
    team_.throw_cause(std::move(error));
    end_counting();
    keep_part(state);
    gather_pivots(state, pivots);
}

template <class T>
void RankTree<T>::keep_part(const FactorsState<T>& state) {
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
void RankTree<T>::end_counting() {
    const MessageCounts now = team_.channel()->counts();
    part_.messages.sent_messages += now.sent_messages - before_.sent_messages;
    part_.messages.received_messages += now.received_messages - before_.received_messages;
    part_.messages.sent_bytes += now.sent_bytes - before_.sent_bytes;
    part_.messages.received_bytes += now.received_bytes - before_.received_bytes;
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
    state.second_pass_positions.clear();
    for (auto& [front, positions] : all) state.second_pass_positions.push_back({front, std::move(positions)});
}

template <class T>
void RankTree<T>::serve(Command command, const std::vector<std::byte>& bytes) {
    Unpacker arguments(bytes);
    try {
        if (command == Command::factor)
            serve_factorization(arguments);
        else
            serve_substitution(arguments);
    } catch (const Error&) {  // rank 0 throws the same, and decides what follows
        team_.board().watch(nullptr, 0);
    }
}

/// What a rank needs for its part: the analysis and how it is dealt, where they are new.
template <class T>
void RankTree<T>::take(const FactorCommand<T>& command, Unpacker& analysis) {
    number_ = command.number;
    std::erase_if(factors_, [&](const auto& known) {
        return std::find(command.alive.begin(), command.alive.end(), known.first) == command.alive.end();
    });
    if (command.brings_analysis) {
        std::vector<std::byte> bytes;
        analysis(bytes);
        analysis_ = unpacked_analysis(bytes);
    }
    if (!command.brings_mapping) return;
    std::vector<index_t> grids;
    analysis(grids);
    mapping_ = std::make_shared<const RankMapping>(
        mapping_of_grids(analysis_->tree, analysis_->mapping, unpacked_grids(grids), team_.channel()->ranks()));
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
    state->share = share_of(*analysis_, command.pivoting == Pivoting::threshold);
    return state;
}

template <class T>
void RankTree<T>::serve_factorization(Unpacker& arguments) {
    std::shared_ptr<FactorsState<T>> state;
    std::optional<UnitFactorization<T>> units;
    std::optional<JobGuard> guard;
    HostBlock entries;
    collectively(team_.ranks(), [&] {
        FactorCommand<T> command;
        command.visit(arguments);
        take(command, arguments);
        state = state_for(command);
        guard.emplace(*session_);
        entries = HostBlock(static_cast<count_t>(analysis_->entry_map.source.size() * sizeof(T)));
        typename UnitFactorization<T>::Input input;
        input.entries = static_cast<T*>(entries.data());
        input.rule = command.how.rule;
        input.memory_budget_bytes = memory_budget_bytes_;
        input.failing_unit = failing_unit();
        if (command.can_be_cancelled) input.cancel = &team_.board().stop();
        units.emplace(*state, predict_peak<T>(*analysis_, session_->cpu_workers(), state->share.get()), input);
    });
    deal_entries(*analysis_, *state->share, nullptr, static_cast<T*>(entries.data()));
    begin_counting();
    PivotReport pivots;
    team_.throw_cause(run(*units, *state, pivots));
    end_counting();
    keep_part(*state);
    gather_pivots(*state, pivots);
    factors_[number_] = std::move(state);
}

/// The error of this rank, or null.
template <class T>
std::exception_ptr RankTree<T>::run(UnitFactorization<T>& units, FactorsState<T>& state, PivotReport& pivots) {
    const JobWatch<OtherRanks<T>> watch(*this, units.job(), number_);
    units.submit();
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
