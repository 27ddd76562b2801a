// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/next_round/plan_next_round.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "submit/whole_tree/next_round/choose_kept.hpp"
#include "submit/whole_tree/plan_tree.hpp"

namespace frond::detail {
namespace {

/// Pieces of cores, and fronts that all devices do, leave nothing that could be attributed to single pieces.
template <class T>
bool may_keep(const TreeWorkspace<T>& workspace) {
    const auto& pieces = workspace.resident->pieces();
    const auto is_of_device = [](const gpu::TreePiece& piece) { return piece.device >= 0; };
    const bool is_delayed = !workspace.failed.fronts_after().empty();
    return is_delayed && pieces.size() > 1 && !workspace.parts.is_empty() &&
           std::all_of(pieces.begin(), pieces.end(), is_of_device);
}

/// The pieces by the numbers that their fronts have now. Those that have lost all fronts are gone.
gpu::CutBefore cut_of(const std::vector<gpu::TreePiece>& pieces, const std::vector<index_t>& number, bool in_parts) {
    gpu::CutBefore cut{{}, in_parts};
    for (const gpu::TreePiece& piece : pieces) {
        gpu::TreePiece now{-1, -1, piece.device, {}, {}};
        now.strip_columns = piece.strip_columns;
        for (index_t f = piece.first_front; f <= piece.last_front; ++f) {
            if (number[at(f)] < 0) continue;
            if (now.first_front < 0) now.first_front = number[at(f)];
            now.last_front = number[at(f)];
        }
        if (now.first_front >= 0) cut.pieces.push_back(std::move(now));
    }
    return cut;
}

/// to := the bytes of a source.
template <class T>
void copy(const FailedRound<T>& round, const SourceOfRange& source, count_t bytes, unsigned char* to) {
    if (source.of == SourceOfRange::Of::copy) {
        std::memcpy(to, round.resident->copy_of_block(source.number), at(bytes));
        return;
    }
    const FactorParts& parts = source.of == SourceOfRange::Of::part   ? round.parts
                               : source.of == SourceOfRange::Of::room ? round.rooms
                                                                      : round.kept->saved;
    const HostAccess from(parts.handles()[at(source.number)].get());
    std::memcpy(to, static_cast<const unsigned char*>(from.data()) + source.first, at(bytes));
}

template <class T>
FactorParts save(const FailedRound<T>& round, const ChosenPieces& chosen, SessionState& session) {
    std::vector<PartPlace> places;
    for (const SavedRange& range : chosen.ranges)
        places.push_back({FactorRoom::aligned(range.range.bytes), STARPU_MAIN_RAM, true, {}});
    FactorParts saved(std::move(places), session.pinned_heap());
    for (std::size_t r = 0; r < chosen.ranges.size(); ++r)
        copy(round, chosen.sources[r], chosen.ranges[r].range.bytes,
             FactorParts::address(saved.handles()[r].get(), STARPU_MAIN_RAM));
    return saved;
}

template <class T>
std::unique_ptr<KeptPieces<T>> keep(FailedRound<T>& round, TreeWorkspace<T>& workspace, const MatchedPieces<T>& matched,
                                    SessionState& session) {
    ChosenPieces chosen = choose_kept(round, workspace, matched);
    auto kept = std::make_unique<KeptPieces<T>>();
    kept->is_kept = std::move(chosen.is_kept);
    if (kept->count() == 0) return nullptr;
    kept->saved = save(round, chosen, session);
    for (const SavedRange& range : chosen.ranges) workspace.parts_of_piece[at(range.piece)].kept.push_back(range.range);
    const AssemblyTree& tree = workspace.failed.analysis()->tree;
    for (std::size_t p = 0; p < kept->is_kept.size(); ++p) {
        if (kept->is_kept[p] == 0) continue;
        cpu::PiecePivots<T> pivots = round.resident->pivots_of(matched.piece_before()[p]);
        pivots.first_column = tree.fronts[at(workspace.resident->pieces()[p].first_front)].first_column;
        kept->pivots.emplace_back(static_cast<index_t>(p), std::move(pivots));
    }
    kept->part_before = std::move(chosen.part_before);
    kept->ranges = std::move(chosen.ranges);
    kept->parts = std::move(round.parts);
    return kept;
}

}  // namespace

template <class T>
void plan_next_round(TreeWorkspace<T>& workspace, std::shared_ptr<const Analysis> before, SessionState& session) {
    if (!may_keep(workspace)) return plan_anew(workspace);
    const std::vector<index_t>& number = workspace.failed.fronts_after();
    const bool restricted = workspace.resident->is_in_parts() || workspace.factors_on_host();
    const gpu::CutBefore cut = cut_of(workspace.resident->pieces(), number, workspace.resident->is_in_parts());
    FailedRound<T> round{std::move(before),          std::move(workspace.resident), workspace.layout,
                         std::move(workspace.rooms), std::move(workspace.parts),    std::move(workspace.kept)};
    plan_as_before(workspace, cut, restricted);
    const MatchedPieces<T> matched(round, workspace, number);
    std::vector<std::optional<PartPlace>> wanted;
    for (const index_t part : matched.part_before())
        wanted.push_back(part < 0 ? std::nullopt : std::optional(round.parts.places()[at(part)]));
    if (!place_as_before(workspace, wanted)) return plan_anew(workspace);
    try {
        workspace.kept = keep(round, workspace, matched, session);
    } catch (const OutOfMemory&) {  // of the host, for what is saved
        plan_anew(workspace);
    }
}

#define FROND_INSTANTIATE(T) \
    template void plan_next_round<T>(TreeWorkspace<T>&, std::shared_ptr<const Analysis>, SessionState&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
