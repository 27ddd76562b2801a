// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

using Visit = std::function<void(const Message&)>;

constexpr count_t first_failure_bytes = 16;

/// A message without its ranks.
struct What {
    MessageKind kind = MessageKind::contribution;
    index_t row = 0, column = 0;
    count_t bytes = 0;
    bool grows = false;
};

void add(std::vector<index_t>& ranks, index_t rank) {
    if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
}

class FrontMessages {
public:
    FrontMessages(const RankMapping& mapping, const MessageRule& rule, index_t front, const Visit& visit)
        : grid_(mapping.grid[at(front)]),
          tiles_(mapping.tiles[at(front)]),
          members_(grid_.members()),
          rule_(rule),
          symmetric_(rule.kind != Factorization::lu),
          pivots_(rule.kind != Factorization::llt && rule.threshold_pivoting),
          scaled_(sends_scaled_tiles(rule)),
          front_(front),
          visit_(visit),
          failed_home_(failed_home(mapping, front)) {}

    void all() const {
        if (members_.size() == 1) return;
        if (pivots_) failed_at_start();
        for (index_t k = 0; k < tiles_.own_tiles; ++k) panel(k);
        if (pivots_) failed_columns();
    }

private:
    index_t owner(index_t i, index_t j) const { return grid_.owner(i, j); }
    count_t bytes(index_t i, index_t j) const { return count_t{tiles_.size(i)} * tiles_.size(j) * rule_.scalar_bytes; }

    void send(const What& what, index_t source, index_t destination) const {
        if (source != destination)
            visit_({front_, what.kind, source, destination, what.row, what.column, what.bytes, what.grows});
    }
    void chain(const What& what, const std::vector<index_t>& ranks) const {
        for (std::size_t k = 1; k < ranks.size(); ++k) send(what, ranks[k - 1], ranks[k]);
    }
    /// Each rank sends on to two.
    void spread(const What& what, const std::vector<index_t>& ranks) const {
        for (std::size_t k = 1; k < ranks.size(); ++k) send(what, ranks[(k - 1) / 2], ranks[k]);
    }
    /// Sends from all of these ranks to `home`.
    void gather(const What& what, const std::vector<index_t>& ranks, index_t home) const {
        for (const index_t r : ranks) send(what, r, home);
    }

    /// Owners of tiles (i, from) .. (i, to), each once; the table repeats itself.
    void add_row(std::vector<index_t>& ranks, index_t i, index_t from, index_t to) const {
        for (index_t j = from; j <= std::min(to, from + grid_.cols - 1); ++j) add(ranks, owner(i, j));
    }
    void add_column(std::vector<index_t>& ranks, index_t j, index_t from, index_t to) const {
        for (index_t i = from; i <= std::min(to, from + grid_.rows - 1); ++i) add(ranks, owner(i, j));
    }
    /// first, then all others of the front.
    std::vector<index_t> everybody(index_t first) const {
        std::vector<index_t> ranks{first};
        for (const index_t r : members_) add(ranks, r);
        return ranks;
    }

    void panel(index_t k) const {
        const index_t last = tiles_.tiles() - 1, diagonal = owner(k, k);
        if (rule_.exchanges_rows && k < last)
            spread({MessageKind::row_exchanges, k, k, no_row_exchanges_bytes, true}, everybody(diagonal));
        std::vector<index_t> solvers{diagonal};
        add_column(solvers, k, k + 1, last);
        if (!symmetric_) add_row(solvers, k, k + 1, last);
        spread({MessageKind::diagonal, k, k, bytes(k, k)}, solvers);
        // L L^T has no pivots that others must know.
        if (rule_.kind != Factorization::llt)
            spread({MessageKind::pivot_record, k, k, pivot_record_bytes(tiles_.size(k), rule_.scalar_bytes)}, solvers);
        if (pivots_) failed_of_panel(k, last);
        for (index_t i = k + 1; i <= last; ++i) lower_tile(i, k, last);
        for (index_t j = k + 1; j <= last && (!symmetric_ || scaled_); ++j) {
            std::vector<index_t> ranks{symmetric_ ? owner(j, k) : owner(k, j)};
            add_column(ranks, j, symmetric_ ? j : k + 1, last);
            chain({MessageKind::upper_tile, k, j, bytes(k, j)}, ranks);
        }
    }

    /// Sends a tile of L to the tiles of its row; for symmetric kinds, from the diagonal on, also to the column of the
    /// same number, unless D L^T goes there.
    void lower_tile(index_t i, index_t k, index_t last) const {
        const What tile{MessageKind::lower_tile, i, k, bytes(i, k)};
        std::vector<index_t> ranks{owner(i, k)};
        add_row(ranks, i, k + 1, symmetric_ ? i : last);
        chain(tile, ranks);
        if (!symmetric_ || scaled_) return;
        std::vector<index_t> onwards = ranks;
        add_column(onwards, i, i, last);
        onwards.erase(onwards.begin(), onwards.begin() + static_cast<std::ptrdiff_t>(ranks.size()));
        onwards.insert(onwards.begin(), owner(i, i));
        chain(tile, onwards);
    }

    /// Who solves tiles of L says which column fails first; the diagonal's owner, how many stay. Parts of what failed
    /// are with the owners of the diagonal tiles, also of contribution tiles, who receive all tiles that change them.
    void failed_of_panel(index_t k, index_t last) const {
        const index_t diagonal = owner(k, k);
        std::vector<index_t> testers;
        add_column(testers, k, k + 1, last);
        gather({MessageKind::first_failure, k, k, first_failure_bytes}, testers, diagonal);
        spread({MessageKind::accepted_panel, k, k, accepted_panel_bytes, true}, everybody(diagonal));
        for (const auto& [from, to] : given_back_pairs(grid_, tiles_, symmetric_, k))
            send(parts(MessageKind::given_back, k), from, to);
    }

    What parts(MessageKind kind, index_t k) const { return {kind, k, k, no_failed_parts_bytes, true}; }

    void failed_at_start() const {
        for (const index_t r : owners_of_parts(0)) send(parts(MessageKind::failed_start, 0), failed_home_, r);
    }
    void failed_columns() const {
        const index_t last = std::max<index_t>(tiles_.own_tiles - 1, 0);
        for (const index_t r : owners_of_parts(tiles_.own_tiles))
            send(parts(MessageKind::failed_rows, last), r, failed_home_);
        spread({MessageKind::second_pass, last, last, no_second_pass_bytes, true}, everybody(failed_home_));
    }
    std::vector<index_t> owners_of_parts(index_t first_tile) const {
        return owners_of_failed_parts(grid_, tiles_, first_tile);
    }

    const RankGrid& grid_;
    const TileGrid& tiles_;
    std::vector<index_t> members_;
    const MessageRule& rule_;
    bool symmetric_, pivots_, scaled_;
    index_t front_;
    const Visit& visit_;
    index_t failed_home_;
};

}  // namespace

index_t failed_home(const RankMapping& mapping, index_t front) { return mapping.grid[at(front)].rank.front(); }

bool sends_scaled_tiles(const MessageRule& rule) {
    return rule.kind == Factorization::ldlt || rule.kind == Factorization::ldlh;
}

std::vector<std::pair<index_t, index_t>> given_back_pairs(const RankGrid& grid, const TileGrid& tiles, bool symmetric,
                                                          index_t panel) {
    std::vector<std::pair<index_t, index_t>> pairs;
    for (index_t t = panel + 1; t < tiles.tiles(); ++t) {
        pairs.push_back({grid.owner(t, panel), grid.owner(t, t)});
        if (!symmetric) pairs.push_back({grid.owner(panel, t), grid.owner(t, t)});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<index_t> owners_of_failed_parts(const RankGrid& grid, const TileGrid& tiles, index_t first_tile) {
    std::vector<index_t> owners;
    for (index_t t = first_tile; t < tiles.tiles(); ++t) add(owners, grid.owner(t, t));
    return owners;
}

namespace {

void widen(std::vector<index_t>& places, index_t line, index_t panel, const TileGrid& tiles) {
    index_t& columns = places[ReceivedTiles::place(line, panel)];
    columns = std::max(columns, tiles.size(panel));
}

}  // namespace

void ReceivedTiles::add_computed(const RankGrid& grid, const TileGrid& tiles, const MessageRule& rule, index_t rank) {
    const bool copies = rule.kind == Factorization::lu && rule.threshold_pivoting;
    if (!copies && !sends_scaled_tiles(rule)) return;
    for (index_t k = 0; k < tiles.own_tiles; ++k)
        for (index_t i = k + 1; i < tiles.tiles(); ++i)
            if (grid.owner(i, k) == rank) widen(copies ? backups : columns, i, k, tiles);
}

ReceivedTiles received_tiles(const RankMapping& mapping, const MessageRule& rule, index_t front, Rank receiver) {
    const auto rank = static_cast<index_t>(receiver);
    ReceivedTiles received(mapping.tiles[at(front)]);
    for_each_message_within(mapping, rule, front, [&](const Message& m) {
        if (m.destination == rank) received.add(mapping.tiles[at(front)], m);
    });
    received.add_computed(mapping.grid[at(front)], mapping.tiles[at(front)], rule, rank);
    return received;
}

ReceivedTiles::ReceivedTiles(const TileGrid& tiles)
    : rows(at(tiles.tiles()) * received_panels),
      columns(rows.size()),
      backups(rows.size()),
      records(at(tiles.own_tiles)) {}

void ReceivedTiles::add(const TileGrid& tiles, const Message& m) {
    if (m.kind == MessageKind::diagonal || m.kind == MessageKind::lower_tile) widen(rows, m.row, m.column, tiles);
    if (m.kind == MessageKind::upper_tile) widen(columns, m.column, m.row, tiles);
    if (m.kind == MessageKind::pivot_record) records[at(m.row)] = 1;
}

count_t ReceivedTiles::scalars(const TileGrid& tiles) const {
    count_t scalars = 0;
    for (index_t t = 0; t < tiles.tiles(); ++t)
        for (index_t k = 0; k < received_panels; ++k)
            scalars += count_t{tiles.size(t)} * (rows[place(t, k)] + columns[place(t, k)] + backups[place(t, k)]);
    return scalars;
}

void for_each_message_within(const RankMapping& mapping, const MessageRule& rule, index_t front,
                             const std::function<void(const Message&)>& visit) {
    FrontMessages(mapping, rule, front, visit).all();
}

}  // namespace frond
