// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/next_round/match_pieces.hpp"

#include <algorithm>

#include "frond/analysis/delay_pivots.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

constexpr index_t none = -1, several = -2;

std::vector<index_t> count_fronts(const std::vector<index_t>& piece_of_fronts, std::size_t pieces) {
    std::vector<index_t> fronts(pieces, 0);
    for (const index_t piece : piece_of_fronts) ++fronts[at(piece)];
    return fronts;
}

}  // namespace

template <class T>
MatchedPieces<T>::MatchedPieces(const FailedRound<T>& round, const TreeWorkspace<T>& next,
                                const std::vector<index_t>& number)
    : round_(round),
      next_(next),
      piece_before_(next.resident->pieces().size(), none),
      part_before_(next.layout->parts.size(), none),
      front_before_(next.layout->fronts.size(), none) {
    for (std::size_t f = 0; f < number.size(); ++f)
        if (number[f] >= 0) front_before_[at(number[f])] = static_cast<index_t>(f);
    match_pieces(number);
    match_parts();
}

/// A piece has the fronts of one before, all of them the same, on the same device and without those of others between.
template <class T>
void MatchedPieces<T>::match_pieces(const std::vector<index_t>& number) {
    const auto &pieces = next_.resident->pieces(), &before = round_.resident->pieces();
    const auto &piece_of = next_.resident->piece_of_fronts(), &piece_of_before = round_.resident->piece_of_fronts();
    std::vector<char> is_same = same_fronts(*round_.analysis, *next_.failed.analysis(), number);
    for (std::size_t f = 0; f < is_same.size(); ++f) {
        const index_t parent = round_.analysis->tree.fronts[f].parent;
        if (next_.failed.newly_searched()[f] != 0) is_same[f] = 0;
        if (is_same[f] == 0 && parent >= 0) is_same[at(parent)] = 0;
    }
    const std::vector<index_t> fronts = count_fronts(piece_of, pieces.size()),
                               fronts_before = count_fronts(piece_of_before, before.size());
    for (std::size_t g = 0; g < front_before_.size(); ++g) {
        index_t& piece = piece_before_[at(piece_of[g])];
        const std::size_t f = at(front_before_[g]);
        const bool is_one = is_same[f] != 0 && (piece == none || piece == piece_of_before[f]);
        piece = is_one ? piece_of_before[f] : several;
    }
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        if (piece_before_[p] < 0) continue;
        const gpu::TreePiece& other = before[at(piece_before_[p])];
        const bool is_same_piece = fronts[p] == fronts_before[at(piece_before_[p])] &&
                                   fronts[p] == other.last_front - other.first_front + 1 &&
                                   pieces[p].device == other.device && pieces[p].strip_columns == other.strip_columns;
        if (!is_same_piece || !round_.resident->pivots_of(piece_before_[p]).are_good) piece_before_[p] = none;
    }
    std::replace(piece_before_.begin(), piece_before_.end(), several, none);
}

/// By all places in it of fronts of its pieces.
template <class T>
void MatchedPieces<T>::match_parts() {
    const auto& piece_of = next_.resident->piece_of_fronts();
    for (std::size_t g = 0; g < front_before_.size(); ++g) {
        const auto &place = next_.layout->fronts[g], &before = round_.layout->fronts[at(front_before_[g])];
        const bool is_kept = piece_before_[at(piece_of[g])] >= 0;
        match_part(place.part, is_kept ? before.part : nullptr);
        for (std::size_t t = 0; t < place.tiles.size(); ++t)
            match_part(place.tiles[t].data, is_kept ? before.tiles[t].data : nullptr);
        for (std::size_t r = 0; r < place.records.size(); ++r)
            match_part(place.records[r], is_kept ? before.records[r] : nullptr);
    }
    for (std::size_t p = 0; p < part_before_.size(); ++p) {
        index_t& part = part_before_[p];
        if (part < 0) continue;
        const FactorPart &other = round_.layout->parts[at(part)], &own = next_.layout->parts[p];
        if (other.bytes != own.bytes || other.pieces.size() != own.pieces.size()) part = none;
    }
    std::replace(part_before_.begin(), part_before_.end(), several, none);
}

/// before: where the same was; null: it is none of the same.
template <class T>
void MatchedPieces<T>::match_part(const void* place, const void* before) {
    if (place == nullptr) return;
    index_t& part = part_before_[next_.layout->index_of(place)];
    const bool is_alike = before != nullptr && gpu::distance_in_part(place) == gpu::distance_in_part(before);
    const index_t found = is_alike ? static_cast<index_t>(round_.layout->index_of(before)) : several;
    part = part == none || part == found ? found : several;
}

#define FROND_INSTANTIATE(T) template class MatchedPieces<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
