// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

using Visit = std::function<void(const Message&)>;

/// Of a message whose contents are only known when pivots are.
constexpr count_t header_bytes = 64;
constexpr count_t first_failure_bytes = 16;

/// A message without its ranks.
struct What {
    MessageKind kind = MessageKind::contribution;
    index_t row = 0, column = 0;
    count_t bytes = 0;
    bool grows = false;
};

What header(MessageKind kind, index_t row, index_t column) { return {kind, row, column, header_bytes, true}; }

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
    /// From all but the last to the last.
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
        std::vector<index_t> solvers{diagonal};
        add_column(solvers, k, k + 1, last);
        if (!symmetric_) add_row(solvers, k, k + 1, last);
        spread({MessageKind::diagonal, k, k, bytes(k, k) + (pivots_ ? header_bytes : 0)}, solvers);
        if (pivots_) gather({MessageKind::first_failure, k, k, first_failure_bytes}, solvers, diagonal);
        // Without threshold pivoting only who solves must know the pivots; L L^T has none that must be known.
        if (rule_.kind != Factorization::llt)
            spread({MessageKind::pivot_record, k, k, pivot_record_bytes(tiles_.size(k), rule_.scalar_bytes)},
                   pivots_ ? everybody(diagonal) : solvers);
        for (index_t i = k + 1; i <= last; ++i) lower_tile(i, k, last);
        for (index_t j = k + 1; j <= last && (!symmetric_ || scaled_); ++j) {
            std::vector<index_t> ranks{symmetric_ ? owner(j, k) : owner(k, j)};
            add_column(ranks, j, symmetric_ ? j : k + 1, last);
            chain({MessageKind::upper_tile, k, j, bytes(k, j)}, ranks);
        }
        if (pivots_) failed_of_panel(k);
    }

    /// To the tiles of its row; of symmetric kinds from the diagonal on to those of the column of the same number, unless D
    /// L^T goes there.
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

    /// Rows and columns of the table that the last own tile and panel k are in.
    struct Places {
        index_t home_row, home_column, panel_row, panel_column;
    };
    Places places(index_t k) const {
        const index_t home = std::max<index_t>(tiles_.own_tiles - 1, 0);
        return {home % grid_.rows, home % grid_.cols, k % grid_.rows, k % grid_.cols};
    }

    /// The columns that failed before are one more tile row and tile column, on the ranks of the last own tile; where
    /// nothing fails, headers say so.
    void failed_of_panel(index_t k) const {
        const Places p = places(k);
        std::vector<index_t> row{owner(p.home_row, p.panel_column)}, column{owner(p.panel_row, p.home_column)};
        if (symmetric_) column = {failed_home_, column[0]};
        for (index_t c = 0; c < grid_.cols; ++c) add(row, owner(p.home_row, c));
        for (index_t r = 0; r < grid_.rows; ++r) add(column, owner(r, p.home_column));
        chain(header(MessageKind::failed_tile, tiles_.own_tiles, k), row);
        chain(header(MessageKind::failed_tile, k, tiles_.own_tiles), column);
        given_back(k, p);
    }

    /// One message a pair of ranks, whatever the places that they have in the table.
    void given_back(index_t k, const Places& p) const {
        std::vector<std::pair<index_t, index_t>> pairs;
        for (index_t r = 0; r < grid_.rows; ++r) pairs.push_back({owner(r, p.panel_column), owner(r, p.home_column)});
        for (index_t c = 0; c < grid_.cols && !symmetric_; ++c)
            pairs.push_back({owner(p.panel_row, c), owner(p.home_row, c)});
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const auto& [from, to] : pairs) send(header(MessageKind::given_back, k, k), from, to);
    }

    void failed_columns() const {
        const Places p = places(0);
        std::vector<index_t> owners;
        for (index_t r = 0; r < grid_.rows; ++r) add(owners, owner(r, p.home_column));
        for (index_t c = 0; c < grid_.cols && !symmetric_; ++c) add(owners, owner(p.home_row, c));
        gather(header(MessageKind::failed_rows, 0, 0), owners, failed_home_);
        spread(header(MessageKind::second_pass, 0, 0), everybody(failed_home_));
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

index_t failed_home(const RankMapping& mapping, index_t front) {
    const index_t own = mapping.tiles[at(front)].own_tiles;
    return own == 0 ? mapping.grid[at(front)].rank[0] : mapping.grid[at(front)].owner(own - 1, own - 1);
}

bool sends_scaled_tiles(const MessageRule& rule) {
    return (rule.kind == Factorization::ldlt || rule.kind == Factorization::ldlh) && !rule.threshold_pivoting;
}

void ReceivedTiles::add_computed(const RankGrid& grid, const TileGrid& tiles, index_t rank) {
    for (index_t k = 0; k < tiles.own_tiles; ++k)
        for (index_t i = k + 1; i < tiles.tiles(); ++i)
            if (grid.owner(i, k) == rank) columns[at(i)] = 1;
}

ReceivedTiles received_tiles(const RankMapping& mapping, const MessageRule& rule, index_t front, index_t rank) {
    ReceivedTiles received(mapping.tiles[at(front)]);
    for_each_message_within(mapping, rule, front, [&](const Message& m) {
        if (m.destination == rank) received.add(m);
    });
    if (sends_scaled_tiles(rule)) received.add_computed(mapping.grid[at(front)], mapping.tiles[at(front)], rank);
    return received;
}

ReceivedTiles::ReceivedTiles(const TileGrid& tiles)
    : rows(at(tiles.tiles())), columns(at(tiles.tiles())), records(at(tiles.own_tiles)) {
    for (index_t k = 0; k < tiles.own_tiles; ++k) widest = std::max(widest, tiles.size(k));
}

void ReceivedTiles::add(const Message& m) {
    if (m.kind == MessageKind::diagonal || m.kind == MessageKind::lower_tile) rows[at(m.row)] = 1;
    if (m.kind == MessageKind::upper_tile) columns[at(m.column)] = 1;
    if (m.kind == MessageKind::pivot_record) records[at(m.row)] = 1;
}

count_t ReceivedTiles::scalars(const TileGrid& tiles) const {
    count_t length = 0;
    for (index_t t = 0; t < tiles.tiles(); ++t) length += count_t{tiles.size(t)} * (rows[at(t)] + columns[at(t)]);
    return received_panels * length * widest;
}

void for_each_message_within(const RankMapping& mapping, const MessageRule& rule, index_t front,
                             const std::function<void(const Message&)>& visit) {
    FrontMessages(mapping, rule, front, visit).all();
}

}  // namespace frond
