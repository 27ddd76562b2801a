// SPDX-License-Identifier: BSD-3-Clause
// What rank 0 sends to the others before a factorization: each rank's part of the analysis, and the scaled entries of
// its fronts.
#include <algorithm>

#include "frond/analysis/packed_analysis.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/dealt_entries.hpp"
#include "ranked/dealt/local_analysis.hpp"
#include "ranked/tree/factor_command.hpp"
#include "ranked/tree/rank_tree.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {

/// Rank 0 has the memory of one part at a time.
template <class T>
std::vector<std::byte> RankTree<T>::deal_analysis(const std::shared_ptr<const Analysis>& whole) {
    Communicator& ranks = team_.ranks();
    const bool sends = ranks.rank() == 0;
    analysis_ = nullptr;
    std::vector<std::byte> mine;
    for (index_t r = 1; r < ranks.size(); ++r) {
        std::vector<std::byte> part;
        collectively(ranks, [&] {
            if (sends) part = packed_analysis(local_analysis(*whole, *mapping_, r));
        });
        std::vector<count_t> begin(at(ranks.size()) + 1, 0);
        for (index_t next = r + 1; next <= ranks.size(); ++next) begin[at(next)] = static_cast<count_t>(part.size());
        std::vector<std::byte> came = from_rank_0<std::byte>(ranks, part, begin);
        if (r == ranks.rank()) mine = std::move(came);
    }
    return mine;
}

template <class T>
void RankTree<T>::deal(const std::shared_ptr<const Analysis>& whole) {
    if (!shares_new_mapping_) return;
    Packer pack;
    const std::vector<index_t> grids = packed_grids(*mapping_);
    pack(grids);
    team_.command(Command::deal, pack);
    collectively(team_.ranks(), [] {});
    deal_analysis(whole);
    collectively(team_.ranks(), [&] { make_branches(*whole); });
    analysis_ = whole;
    shares_new_mapping_ = false;
}

template <class T>
void RankTree<T>::serve_deal(Unpacker& arguments) {
    std::vector<index_t> grids;
    collectively(team_.ranks(), [&] { arguments(grids); });
    std::vector<std::byte> part = deal_analysis(nullptr);
    collectively(team_.ranks(), [&] {
        const std::shared_ptr<const Analysis> analysis = unpacked_analysis(part);
        part = {};
        branches_ = nullptr;
        mapping_ = std::make_shared<const RankMapping>(
            mapping_of_grids(analysis->tree, analysis->mapping, unpacked_grids(grids), team_.channel()->ranks()));
        make_branches(*analysis);
        analysis_ = analysis;
    });
}

template <class T>
void RankTree<T>::deal_entries(const Analysis& analysis, const TreeShare& share, const T* all, T* mine) {
    const auto ranks = at(share.ranks());
    const bool sends = share.rank() == 0;
    std::vector<count_t> out_sizes(ranks, 0), in_sizes(ranks, 0);
    for (index_t r = 1; r < share.ranks() && sends; ++r) out_sizes[at(r)] = entries_of_rank(analysis, share, r);
    if (!sends) in_sizes[0] = static_cast<count_t>(analysis.entry_map.row.size());  // a part has no others
    const std::vector<count_t> out_begin = begin_of_sizes(out_sizes), in_begin = begin_of_sizes(in_sizes);
    HostBlock out;  // not cleared, and its pages are found again the next time
    collectively(team_.ranks(), [&] { out = HostBlock(out_begin.back() * static_cast<count_t>(sizeof(T))); });
    T* const begin_of_out = static_cast<T*>(out.data());
    T* to = begin_of_out;
    for (index_t r = 1; r < share.ranks() && sends; ++r)
        for_each_entries(analysis, share.mapping, r,
                         [&](count_t begin, count_t end) { to = std::copy(all + begin, all + end, to); });
    exchange_parcels<T>(team_.ranks(), {begin_of_out, at(out_begin.back())}, out_begin, {mine, at(in_begin.back())},
                        in_begin);
}

#define FROND_INSTANTIATE(T)                                                                            \
    template std::vector<std::byte> RankTree<T>::deal_analysis(const std::shared_ptr<const Analysis>&); \
    template void RankTree<T>::deal(const std::shared_ptr<const Analysis>&);                            \
    template void RankTree<T>::serve_deal(Unpacker&);                                                   \
    template void RankTree<T>::deal_entries(const Analysis&, const TreeShare&, const T*, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
