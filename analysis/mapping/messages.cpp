// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

namespace frond {
namespace {

using Visit = std::function<void(const Message&)>;

constexpr count_t most_contribution_bytes = count_t{16} << 20;
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

/// The owner of the last own tile, which eliminates columns that failed.
index_t failed_home(const RankMapping& mapping, index_t front) {
    const index_t own = mapping.tiles[at(front)].own_tiles;
    return own == 0 ? mapping.grid[at(front)].first : mapping.grid[at(front)].owner(own - 1, own - 1);
}

/// What the ranks of one front tell each other.
class FrontMessages {
public:
    FrontMessages(const RankMapping& mapping, const MessageRule& rule, index_t front, const Visit& visit)
        : grid_(mapping.grid[at(front)]),
          tiles_(mapping.tiles[at(front)]),
          rule_(rule),
          symmetric_(rule.kind != Factorization::lu),
          pivots_(rule.kind != Factorization::llt && rule.threshold_pivoting),
          front_(front),
          visit_(visit),
          failed_home_(failed_home(mapping, front)) {}

    void all() const {
        if (grid_.size() == 1) return;
        for (index_t k = 0; k < tiles_.own_tiles; ++k) panel(k);
        if (pivots_) failed_columns();
    }

private:
    index_t owner(index_t i, index_t j) const { return grid_.owner(i, j); }
    index_t row_of(index_t rank) const { return (rank - grid_.first) / grid_.cols; }
    index_t column_of(index_t rank) const { return (rank - grid_.first) % grid_.cols; }
    index_t rank_at(index_t row, index_t column) const { return grid_.first + row * grid_.cols + column; }
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

    static void add(std::vector<index_t>& ranks, index_t rank) {
        if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
    }
    /// first, then the owners of tiles (i, from) .. (i, to).
    std::vector<index_t> along_row(index_t first, index_t i, index_t from, index_t to) const {
        std::vector<index_t> ranks{first};
        for (index_t j = from; j <= std::min(to, from + grid_.cols - 1); ++j) add(ranks, owner(i, j));
        return ranks;
    }
    std::vector<index_t> along_column(index_t first, index_t j, index_t from, index_t to) const {
        std::vector<index_t> ranks{first};
        for (index_t i = from; i <= std::min(to, from + grid_.rows - 1); ++i) add(ranks, owner(i, j));
        return ranks;
    }
    /// first, then all others of the front.
    std::vector<index_t> everybody(index_t first) const {
        std::vector<index_t> ranks{first};
        for (index_t r = grid_.first; r < grid_.first + grid_.size(); ++r) add(ranks, r);
        return ranks;
    }

    void panel(index_t k) const {
        const index_t last = tiles_.tiles() - 1, diagonal = owner(k, k);
        std::vector<index_t> solvers = along_column(diagonal, k, k + 1, last);
        if (!symmetric_)
            for (const index_t r : along_row(diagonal, k, k + 1, last)) add(solvers, r);
        spread({MessageKind::diagonal, k, k, bytes(k, k) + (pivots_ ? header_bytes : 0)}, solvers);
        if (pivots_)
            for (const index_t r : solvers) send({MessageKind::first_failure, k, k, first_failure_bytes}, r, diagonal);
        const count_t swaps = !pivots_ ? 0 : symmetric_ ? 24 : 4;
        spread({MessageKind::pivot_record, k, k, header_bytes + swaps * tiles_.size(k)}, everybody(diagonal));
        for (index_t i = k + 1; i <= last; ++i) lower_tile(i, k, last);
        if (!symmetric_)
            for (index_t j = k + 1; j <= last; ++j)
                chain({MessageKind::upper_tile, k, j, bytes(k, j)}, along_column(owner(k, j), j, k + 1, last));
        if (pivots_) failed_of_panel(k);
    }

    /// To the tiles of its row; of symmetric kinds from the diagonal on to those of the column of the same number.
    void lower_tile(index_t i, index_t k, index_t last) const {
        const What tile{MessageKind::lower_tile, i, k, bytes(i, k)};
        chain(tile, along_row(owner(i, k), i, k + 1, symmetric_ ? i : last));
        if (symmetric_) chain(tile, along_column(owner(i, i), i, i, last));
    }

    /// The columns that failed before are one more tile row and tile column, on the ranks of the last own tile; where
    /// nothing fails, headers say so.
    void failed_of_panel(index_t k) const {
        const index_t home_row = row_of(failed_home_), home_column = column_of(failed_home_);
        const index_t panel_row = row_of(owner(k, k)), panel_column = column_of(owner(k, k));
        std::vector<index_t> row{rank_at(home_row, panel_column)}, column{rank_at(panel_row, home_column)};
        for (index_t c = 0; c < grid_.cols; ++c) add(row, rank_at(home_row, c));
        for (index_t r = 0; r < grid_.rows; ++r) add(column, rank_at(r, home_column));
        chain(header(MessageKind::failed_tile, tiles_.own_tiles, k), row);
        if (symmetric_) column = from_home(column);
        chain(header(MessageKind::failed_tile, k, tiles_.own_tiles), column);
        for (index_t r = 0; r < grid_.rows; ++r)
            send(header(MessageKind::given_back, k, k), rank_at(r, panel_column), rank_at(r, home_column));
        for (index_t c = 0; c < grid_.cols && !symmetric_; ++c)
            send(header(MessageKind::given_back, k, k), rank_at(panel_row, c), rank_at(home_row, c));
    }
    /// The same ranks, and where failed columns are eliminated first.
    std::vector<index_t> from_home(const std::vector<index_t>& ranks) const {
        std::vector<index_t> others{failed_home_};
        for (const index_t r : ranks) add(others, r);
        return others;
    }

    void failed_columns() const {
        const index_t home_row = row_of(failed_home_), home_column = column_of(failed_home_);
        for (index_t r = 0; r < grid_.rows; ++r)
            send(header(MessageKind::failed_rows, 0, 0), rank_at(r, home_column), failed_home_);
        for (index_t c = 0; c < grid_.cols && !symmetric_; ++c)
            send(header(MessageKind::failed_rows, 0, 0), rank_at(home_row, c), failed_home_);
        spread(header(MessageKind::second_pass, 0, 0), everybody(failed_home_));
    }

    RankGrid grid_;
    const TileGrid& tiles_;
    const MessageRule& rule_;
    bool symmetric_, pivots_;
    index_t front_;
    const Visit& visit_;
    index_t failed_home_;
};

void contribution(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t child,
                  const Visit& visit) {
    const index_t parent = tree.fronts[at(child)].parent;
    for (const auto& [ranks, scalars] : exchange_of(tree, mapping, rule.kind, child)) {
        if (ranks.first == ranks.second) continue;
        index_t part = 0;
        for (count_t left = scalars * rule.scalar_bytes; left > 0; left -= most_contribution_bytes, ++part)
            visit({parent, MessageKind::contribution, ranks.first, ranks.second, child, part,
                   std::min(left, most_contribution_bytes), false});
    }
    if (rule.kind == Factorization::llt || !rule.threshold_pivoting) return;
    const index_t from = failed_home(mapping, child), to = failed_home(mapping, parent);
    if (from != to) visit({parent, MessageKind::hand_over, from, to, child, 0, header_bytes, true});
}

}  // namespace

void for_each_message(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t front,
                      const std::function<void(const Message&)>& visit) {
    FROND_EXPECTS(front >= 0 && front < tree.front_count(), "there is no front " + std::to_string(front) +
                                                                "; fronts are 0 .. " +
                                                                std::to_string(tree.front_count() - 1));
    if (!mapping.is_shared(front)) return;  // all below is of the same rank
    for (count_t c = tree.child_begin[at(front)]; c < tree.child_begin[at(front) + 1]; ++c)
        contribution(tree, mapping, rule, tree.children[at(c)], visit);
    FrontMessages(mapping, rule, front, visit).all();
}

}  // namespace frond
