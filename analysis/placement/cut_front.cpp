// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/vector_index.hpp"
#include "mapping_parts.hpp"
#include "ranks/ranks_parts.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

constexpr index_t tile_step = 32;

index_t round_up(double tile_size) { return static_cast<index_t>(std::ceil(tile_size / tile_step)) * tile_step; }

// One thread submits all tasks, each in about 6 us, in which a core does 2e5 operations. With tiles whose updates, of
// 2 b^3, take all workers together eight times as long, the workers need not wait for it, and few tasks cost little: on
// 16 cores 0.76 to 1.06 of the time with updates of twice as long (bench/results/2026-11-27-16-cores.txt).
// The size is at most an eighth of a front, whose panels follow one another.
index_t size_that_submission_keeps_up_with(index_t nfront, index_t workers, const TreeCut& cut) {
    const index_t wanted = round_up(std::cbrt(cut.operations_of_submission * workers));
    return std::min(wanted, round_up(nfront / 8.0));
}

}  // namespace

// About 6 sqrt(workers) tiles along a front keep the workers busy through its critical path of
// panels: orders 1024, 2048, 4096 on two cores ran best with tiles of 128, 256, 384 when
// the rule was made. Below 128 kernels lose their rate, above 384 CPU cores gain no more.
// Many workers want fewer, longer tasks (docs/studies.md).
// A card wants tiles of 1024: poisson3d 80 and 100 (L U) took 0.34 and 0.78 s with tiles of 512 in fronts
// below order 8192, 0.25 and 0.66 s with 1024 in all (one H200, 2026-11-20). Fronts below 512 may run on cores.
// All of these numbers are TreeCut's, which frond tune measures anew.
index_t tile_size_of(index_t nfront, index_t workers, index_t gpus, const TreeCut& cut) {
    if (gpus > 0 && nfront >= 512) return cut.card_tile;
    const index_t for_path = round_up(nfront / (cut.tiles_along_front * std::sqrt(static_cast<double>(workers))));
    const index_t wanted = std::max(for_path, size_that_submission_keeps_up_with(nfront, workers, cut));
    return std::clamp(wanted, cut.smallest_tile, cut.largest_tile);
}

// Each segment in equal parts of tile_size, up to a quarter more where that saves a part. A cut
// that would split a pair moves up by one.
TileGrid cut_front(const AssemblyTree& tree, index_t f, index_t tile_size,
                   const std::vector<std::uint8_t>& pair_with_next, const TileGrid* parent) {
    const Front& front = tree.fronts[f];
    const index_t* rows = tree.rows.data() + front.rows_begin;
    const auto position = [&](index_t local) {
        return local < front.npiv ? front.first_column + local : rows[local - front.npiv];
    };
    const auto splits_pair = [&](index_t cut) {
        return !pair_with_next.empty() && pair_with_next[position(cut - 1)] && position(cut) == position(cut - 1) + 1;
    };
    TileGrid grid;
    grid.cut.push_back(0);
    const auto cut_segment = [&](index_t begin, index_t end) {
        if (begin == end) return;
        const count_t size = end - begin;
        const count_t parts = std::max<count_t>(1, (size + tile_size - 1 - tile_size / 4) / tile_size);
        for (count_t part = 1; part < parts; ++part) {
            index_t cut = begin + static_cast<index_t>(size * part / parts);
            if (cut > begin && splits_pair(cut)) ++cut;
            if (cut > grid.cut.back() && cut < end) grid.cut.push_back(cut);
        }
        grid.cut.push_back(end);
    };
    cut_segment(0, front.npiv);
    grid.own_tiles = grid.tiles();
    if (parent == nullptr) {
        cut_segment(front.npiv, front.nfront);
        return grid;
    }
    const std::vector<index_t> segments = contribution_segments(tree, front, *parent, tile_size);
    for (std::size_t s = 1; s < segments.size(); ++s)
        cut_segment(front.npiv + segments[s - 1], front.npiv + segments[s]);
    return grid;
}

std::vector<index_t> contribution_segments(const AssemblyTree& tree, const Front& front, const TileGrid& parent,
                                           index_t tile_size) {
    if (!has_rows(tree, front)) return {0, front.ncb()};
    const index_t* const rows = tree.relative_rows.data() + front.rows_begin;
    std::vector<index_t> segments{0};
    std::size_t tile = 0;
    for (index_t r = 0; r < front.ncb(); ++r) {
        const std::size_t before = tile;
        while (parent.cut[tile + 1] <= rows[r]) ++tile;
        if (tile != before && r - segments.back() >= tile_size / 3) segments.push_back(r);
    }
    if (segments.back() > 0 && front.ncb() - segments.back() < tile_size / 4) segments.pop_back();
    if (front.ncb() > 0) segments.push_back(front.ncb());
    return segments;
}

namespace {

/// Appends cuts of begin .. end in equal parts of about `size`, up to a quarter more where that saves a part.
void cut_evenly(index_t begin, index_t end, index_t size, std::vector<index_t>& cut) {
    const count_t rows = end - begin, parts = std::max<count_t>(1, (rows + size - 1 - size / 4) / size);
    for (count_t part = 1; part <= parts; ++part) cut.push_back(begin + static_cast<index_t>(rows * part / parts));
}

/// What is too large is cut in equal parts.
void cut_contribution(const AssemblyTree& tree, const Front& front, const TileGrid& parent, index_t size,
                      TileGrid& tiles) {
    const std::vector<index_t> segments = contribution_segments(tree, front, parent, size);
    for (std::size_t s = 1; s < segments.size(); ++s)
        cut_evenly(front.npiv + segments[s - 1], front.npiv + segments[s], size, tiles.cut);
}

}  // namespace

std::vector<TileGrid> cut_shared_fronts(const AssemblyTree& tree, const RankMapping& mapping,
                                        const std::vector<index_t>& ranks) {
    std::vector<TileGrid> all(tree.fronts.size());
    for (index_t f = tree.front_count() - 1; f >= 0; --f) {
        const Front& front = tree.fronts[at(f)];
        const bool in_piece = !mapping.is_shared(f) && front.parent >= 0 && !mapping.is_shared(front.parent);
        if (in_piece) continue;
        const index_t used = ranks[at(f)];
        const index_t size = used > 1 ? tile_size_of(front.nfront, used, 0) : std::max<index_t>(front.nfront, 1);
        TileGrid& tiles = all[at(f)];
        tiles.cut = {0};
        if (front.npiv > 0) cut_evenly(0, front.npiv, size, tiles.cut);
        tiles.own_tiles = tiles.tiles();
        if (used > 1 && front.parent >= 0)
            cut_contribution(tree, front, all[at(front.parent)], size, tiles);
        else if (front.ncb() > 0)
            tiles.cut.push_back(front.nfront);
    }
    return all;
}

}  // namespace frond
