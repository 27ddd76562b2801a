// SPDX-License-Identifier: BSD-3-Clause
// What the ranks found in their parts of a factorization, for rank 0 and for each other.
#include <array>
#include <map>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/predict_peak.hpp"
#include "ranked/tree/pivot_parcel.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
template <class T>
PeakPrediction RankTree<T>::predicted(const FactorsState<T>& state) {
    const TreeShare& share = *state.factors.ownership.share;
    if (predicted_.analysis.lock() != state.analysis || predicted_.mapping.lock() != share.whose ||
        predicted_.rule != share.rule) {
        const PeakPrediction peak = predict_peak<T>(*state.analysis, session_->cpu_workers(), &share);
        predicted_ = {state.analysis, share.whose, share.rule, peak};
    }
    return predicted_.peak;
}

template <class T>
void RankTree<T>::keep_part(const FactorsState<T>& state) {
    part_.analysis_bytes = analysis_bytes(*state.analysis);
    part_.factor_bytes = predicted(state).factor_bytes;
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
    for (const auto field :
         {&MessageCounts::sent_messages, &MessageCounts::received_messages, &MessageCounts::sent_bytes,
          &MessageCounts::received_bytes, &MessageCounts::bytes_from_devices}) {
        counts.*field -= before_.*field;
        part_.messages.*field += counts.*field;
    }
    return counts;
}

/// What a rank reports to rank 0, in addition to its pivots.
template <class T>
std::vector<std::byte> RankTree<T>::findings(const FactorsState<T>& state, const PivotReport& pivots) const {
    FactoredPart part{pivots,
                      part_.flops,
                      state.report.work.tasks,
                      part_.factor_bytes,
                      part_.peak_bytes,
                      part_.peak_bytes_predicted,
                      state.report.work.front_seconds};
    Packer pack;
    part.visit(pack);
    pack_second_passes(pack, state.factors);
    return pack.take();
}

/// Gathers pivots on rank 0, whose state and report take what the others found.
template <class T>
void RankTree<T>::gather_pivots(FactorsState<T>& state, PivotReport& pivots) {
    const bool is_first = state.factors.ownership.share->rank() == 0;
    RemotePivots<T> remote;
    std::vector<count_t> columns;
    Parcels<std::byte> out;
    collectively(team_.ranks(), [&] {
        if (is_first)
            columns = make_places_for_others(state.factors, remote.listed);
        else
            out.data = findings(state, pivots);
        std::vector<count_t> sizes(at(state.factors.ownership.share->ranks()), 0);
        sizes[0] = static_cast<count_t>(out.data.size());
        out.begin = begin_of_sizes(sizes);
    });
    const Parcels<std::byte> in = exchanged(team_.ranks(), out);
    if (is_first)
        receive_listed(team_.ranks(), columns, state.kind(), remote.listed);
    else
        send_listed(team_.ranks(), state.kind(), std::exchange(state.factors.ownership.own_pivots, {}));
    collectively(team_.ranks(), [&] {
        for (index_t r = 1; r < state.factors.ownership.share->ranks() && is_first; ++r) {
            Unpacker unpack(in.of(r));
            FactoredPart part;
            part.visit(unpack);
            part.add_to(state.report, pivots);
            remote.factor_bytes += part.factor_bytes;
            unpack_second_passes(unpack, remote);
        }
    });
    state.factors.ownership.remote_pivots = std::move(remote);
    share_second_pass_positions(state);
}

/// Gives all ranks the positions of all, by their fronts.
template <class T>
void RankTree<T>::share_second_pass_positions(FactorsState<T>& state) {
    std::vector<SecondPassPositions> own;
    collectively(team_.ranks(), [&] { own = own_second_pass_positions(state.factors); });
    std::array<count_t, 1> lists{static_cast<count_t>(own.size())};
    team_.ranks().all_reduce_sum(lists);
    state.factors.ownership.second_pass_positions.clear();
    if (lists[0] == 0) return;
    std::map<index_t, std::vector<index_t>> all;
    for (index_t r = 0; r < state.factors.ownership.share->ranks(); ++r) {
        std::vector<std::byte> bytes;
        collectively(team_.ranks(), [&] {
            if (r != state.factors.ownership.share->rank()) return;
            Packer pack;
            for (const SecondPassPositions& list : own) pack(list.front, list.positions);
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
        for (auto& [front, positions] : all)
            state.factors.ownership.second_pass_positions.push_back({front, std::move(positions)});
    });
}

#define FROND_INSTANTIATE(T)                                                \
    template PeakPrediction RankTree<T>::predicted(const FactorsState<T>&); \
    template void RankTree<T>::keep_part(const FactorsState<T>&);           \
    template void RankTree<T>::begin_counting();                            \
    template MessageCounts RankTree<T>::end_counting();                     \
    template void RankTree<T>::gather_pivots(FactorsState<T>&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
