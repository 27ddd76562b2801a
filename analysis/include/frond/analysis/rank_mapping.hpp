// SPDX-License-Identifier: BSD-3-Clause
// Which process (rank) of a run on many owns what of an assembly tree, and every message of its factorization, known
// before it starts.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/analysis/options.hpp"

namespace frond {

/// The rate of a core, for the balance of work and messages: the same everywhere, so that a mapping follows from the
/// analysis and the workers of the ranks.
constexpr double mapped_flops_of_core = 2e10;
/// The rate of a card in large fronts.
constexpr double mapped_flops_of_card = 3e13;

/// A tree of fewer real operations one rank has factored before others have begun: these are a twentieth of a second of a
/// core, which messages of a shared tree need as well. A run leaves it to rank 0.
constexpr double least_shared_flops = 1e9;
/// The limit if rank 0 has a card, which takes a tenth of a second for so many operations.
constexpr double least_shared_flops_of_cards = 1e12;
/// The largest message whose size is known before the run. A run leaves a tree with larger tiles to rank 0.
constexpr count_t largest_message_bytes = count_t{64} << 20;

/// What the ranks can do, and what a message costs.
struct RankMachine {
    std::vector<double> flops_per_second;  // [ranks] > 0
    std::vector<count_t> budget_bytes;  // [ranks] > 0: what a rank may hold; empty: no bound
    double message_seconds = 20e-6;
    double bytes_per_second = 9e9;
};

/// How a tree is factored, as far as messages and memory depend on it.
struct MessageRule {
    Factorization kind = Factorization::lu;
    bool threshold_pivoting = true;  // not read for L L^T
    count_t scalar_bytes = 8;
    bool exchanges_rows = false;  // L U of a dense matrix over whole tile columns, each of which is with one rank

    bool operator==(const MessageRule&) const = default;
};

/// Number of a rank, where it must not be taken for that of a front or of a tile.
enum class Rank : index_t {};

/// Ranks first .. first + count.
struct RankInterval {
    index_t first = 0;
    index_t count = 1;

    bool contains(index_t rank) const { return rank >= first && rank < first + count; }
    bool operator==(const RankInterval&) const = default;
};

/// A table of ranks that is laid over the tiles of a front again and again in both directions. A rank may stand in it
/// several times. Symmetric kinds read it on and below the diagonal of tiles only.
struct RankGrid {
    index_t rows = 1;
    index_t cols = 1;
    std::vector<index_t> rank = {0};  // [rows * cols], row by row

    index_t owner(index_t i, index_t j) const { return rank[static_cast<std::size_t>(i % rows * cols + j % cols)]; }
    /// Each rank of the table once, ascending. O(rows cols log).
    std::vector<index_t> members() const;
};

/// Who owns what. A front whose group is one rank belongs to a piece of that rank, with all below it.
struct RankMapping {
    index_t ranks = 1;
    std::vector<RankInterval> group;  // [fronts] the ranks that have the subtree of the front
    std::vector<RankGrid> grid;  // [fronts] these carry out the front itself
    std::vector<TileGrid> tiles;  // [fronts] of fronts that exchange messages; no cut inside a piece
    std::vector<std::uint8_t> in_turn;  // [fronts + 1] 1: its whole group does its children one after the other;
        // the last one: the roots
    bool whole_tiles = false;  // fronts are cut as the analysis cuts them; blocks travel tile by tile

    bool is_shared(index_t front) const { return group[static_cast<std::size_t>(front)].count > 1; }
};

/// Maps a tree to ranks.
///
/// Proportional mapping (Pothen & Sun 1993): from the roots down, children get intervals of ranks in proportion to the
/// work of their subtrees; those worth less than a rank go whole, the costliest first, to the rank that has least
/// to do. A front that several ranks could share is carried out by as many of its group as are quickest by the costs of
/// its panels; one of order below 1000 by one rank. Symmetric kinds take the symmetric block-cyclic table where it
/// occupies as many ranks as rows and columns of ranks would (Beaumont, Duchon et al. 2022), and for large fronts
/// one of any number of ranks (Beaumont, Collin et al. 2023). Which rank stands where in the table is an assignment
/// problem: the least of what the ranks have to do and of contribution bytes that move; so no cyclic shift of a
/// table moves fewer.
///
/// Several mappings are played with a model of time (operations over rate, 20 us and bytes over bandwidth for a message,
/// the chain of panels): shares rounded to the nearest number of ranks, up or down, and the children of the topmost
/// fronts side by side or in turn, where that is quicker by a tenth. The quickest is taken that holds the budgets.
///
/// Without budgets, children are also done one after the other where each byte that travels more saves one of the ranks'
/// peaks, as long as bytes grow by a third and the time by a twentieth at most.
///
/// Budgets (Agullo et al. 2016): where the predicted peak of a rank passes its budget, the children of the lowest split
/// that contributes to it are done one after the other by the whole group, then those of the next one above, until all
/// ranks fit. Ranks without room for their part of a front take none where others have room.
///
/// Cost: O(fronts log fronts + tiles of shared fronts + ranks^3 a shared front) a candidate; with budgets for each step
/// towards them; so many threads play candidates at the same time, 0: one a core that the process may use. The same result
/// for the same input and any number of threads. Safe to call from several threads.
/// @pre  front_flops has one number a front; at least one rank; rates and budgets are positive
/// @throws InvalidArgument where those do not hold
/// @throws MemoryBudgetExceeded where no mapping that was tried holds the budgets: rank, need and budget of the one
///         that comes nearest
RankMapping map_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops, const RankMachine& machine,
                      const MessageRule& rule, index_t threads = 0);

/// Maps the units of an analysis (its subtrees, and its fronts on tiles) to ranks as map_ranks maps the tree: a front
/// on tiles to several ranks where that pays, tile by tile. Else it goes to the rank that has the largest
/// contribution block below it. A subtree is never divided: it goes to the one of its ranks that has least to do. Cuts are
/// those of the analysis, so that the numbers computed do not depend on ranks; the block of a subtree is cut in tiles of
/// 256 rows.
/// If ranks are alike and have no budgets, pairs of them then exchange their parts, in a front or in all below one, as
/// long as the rank with most to do has less for it; then as long as the one that receives most does, with at most 2%
/// more work and 3% more bytes. Rank 0 has the part with the smallest peak: it holds the matrix and the analysis, too.
/// Budgets are those of map_ranks, whose mapping is refused where the units pass them: no other one is tried then.
/// Cost and errors: those of map_ranks.
RankMapping map_units(const AssemblyTree& tree, const Mapping& mapping, const std::vector<double>& front_flops,
                      const RankMachine& machine, const MessageRule& rule, bool share_fronts = true,
                      index_t threads = 0);

/// The mapping of given ranks: owner [fronts], the same for all fronts of a subtree. O(fronts).
/// @throws InvalidArgument where there are not as many, or ranks outside 0 .. ranks - 1
RankMapping mapping_of_owners(const AssemblyTree& tree, const Mapping& mapping, const std::vector<index_t>& owner,
                              index_t ranks);

/// The mapping of given tables, if fronts on tiles are shared: grid [fronts], the same for all fronts of a subtree.
/// O(fronts + tiles of shared fronts).
/// @throws InvalidArgument as mapping_of_owners; where a subtree has several ranks, or a rank of a table no tile
RankMapping mapping_of_grids(const AssemblyTree& tree, const Mapping& mapping, std::vector<RankGrid> grid,
                             index_t ranks);

/// The mapping with every front on tiles on as many ranks as its tiles and the tables of map_ranks allow, if it pays or not.
RankMapping share_all_fronts(const AssemblyTree& tree, const Mapping& mapping, const RankMapping& dealt,
                             const MessageRule& rule);

enum class MessageKind : std::uint8_t {
    contribution,  // of a child, what one rank has and another assembles; in parts of at most 16 MiB, or tiles
    diagonal,  // of a panel, to the ranks that solve with it
    first_failure,  // which column of a panel failed first, from who solves tiles of L to the diagonal's owner
    pivot_record,  // of a panel, to the ranks that solve with it
    lower_tile,  // of L, along the ranks of its row, and of symmetric kinds of its column
    upper_tile,  // of U, or of D L^T, along the ranks of its column
    accepted_panel,  // how many pivots stay, L and U of the columns that failed before: to all ranks of the front
    given_back,  // columns of a panel that failed, to the owners of their parts
    failed_rows,  // contribution rows of failed columns, to the rank that eliminates them
    second_pass,  // what became of them, to all ranks of the front
    delayed_columns,  // those that the parent has to eliminate
    announcement,  // before them: how many bytes they take
    failed_start,  // parts of what the children delayed, from the rank that gathers them to their owners
    row_exchanges  // of a panel, from the rank that selects its rows to all ranks of the front
};

/// The size of a pivot record of so many columns: a header, what became of the panel, its order, D and what replaced
/// pivots.
constexpr count_t pivot_record_bytes(index_t columns, count_t scalar_bytes) {
    constexpr count_t header = 64, outcome = 122;
    return header + outcome + (4 + 3 * scalar_bytes) * columns;
}

/// The size of a message of delayed columns that has none: a header, their number of rows and the lengths of four
/// lists.
constexpr count_t no_delayed_columns_bytes = 64 + 4 + 4 * 8;
/// The size of what ranks of a shared front say of a panel whose pivots all stay, where nothing failed before,
constexpr count_t accepted_panel_bytes = 64 + 5 * 4 + 4 * 8;
/// of parts of failed columns where there are none,
constexpr count_t no_failed_parts_bytes = 64 + 4 + 2 * 8;
/// of the exchanges of rows of a panel where there are none,
constexpr count_t no_row_exchanges_bytes = 64 + 8;
/// and of a second pass without columns.
constexpr count_t no_second_pass_bytes = 64 + 5 * 4 + 9 * 8 + 8;

struct Message {
    index_t front = 0;  // that receives it
    MessageKind kind = MessageKind::contribution;
    index_t source = 0, destination = 0;  // ranks
    /// A tile (row, column) of the front, diagonal and record of panel k: (k, k); of a child: its number, which part, or
    /// which tile (row + column * tiles).
    index_t row = 0, column = 0;
    count_t bytes = 0;
    bool grows = false;  // by what fails: bytes are those where nothing does
};

/// Calls visit for every message that a front receives or exchanges within itself, in an order that is the same on all
/// ranks: each pair of ranks sees its messages in that order. Fronts in the order of their numbers.
/// Cost: O(tiles of the front (rows + columns of its grid) + (tiles of a child + of the front)^2 for each child)
void for_each_message(const AssemblyTree& tree, const RankMapping& mapping, const MessageRule& rule, index_t front,
                      const std::function<void(const Message&)>& visit);

/// True: every tile that may be sent fits a message.
bool fits_messages(const RankMapping& mapping, const MessageRule& rule);

/// Panels of a shared front of which a rank keeps the tiles that it receives.
constexpr index_t received_panels = 2;

/// Ranks (source, destination) of what a panel gives back: from the owners of its tiles to those of the diagonal tile in the
/// same row or column, ascending; both may be the same.
std::vector<std::pair<index_t, index_t>> given_back_pairs(const RankGrid& grid, const TileGrid& tiles, bool symmetric,
                                                          index_t panel);
/// Owners of the diagonal tiles from that tile on, each once: they have the parts of failed columns in these rows.
std::vector<index_t> owners_of_failed_parts(const RankGrid& grid, const TileGrid& tiles, index_t first_tile);

/// Which tiles a rank receives of the panels of a front that it shares. Each row and column of tiles has received_panels
/// buffers, which the panels use in turn. With many tables a rank receives every other panel only; then it never uses one
/// of the buffers.
struct ReceivedTiles {
    ReceivedTiles() = default;
    explicit ReceivedTiles(const TileGrid& tiles);  // none
    /// A message that the rank receives.
    void add(const TileGrid& tiles, const Message& message);
    /// D L^T of tiles of L that the rank computes itself, which it keeps as long; L U with threshold pivoting: these tiles
    /// as they were.
    void add_computed(const RankGrid& grid, const TileGrid& tiles, const MessageRule& rule, index_t rank);

    /// The buffer of a panel in the tile row or column `line`.
    static std::size_t place(index_t line, index_t panel) {
        return static_cast<std::size_t>(line) * received_panels + static_cast<std::size_t>(panel % received_panels);
    }

    // [tiles * received_panels] columns of the widest panel that uses the buffer; 0: none does
    std::vector<index_t> rows;  // of L, or the diagonal tile, in a tile row
    std::vector<index_t> columns;  // of U, or of D L^T, in a tile column
    std::vector<index_t> backups;  // copies of own tiles of L, in a tile row
    std::vector<std::uint8_t> records;  // [own tiles] 1: the pivot record

    /// The scalars of all received tiles.
    count_t scalars(const TileGrid& tiles) const;
};
/// Cost: that of for_each_message within the front.
ReceivedTiles received_tiles(const RankMapping& mapping, const MessageRule& rule, index_t front, Rank rank);

/// What a rank has to do, where nothing fails.
struct RankPrediction {
    double flops = 0;
    count_t factor_bytes = 0;
    count_t peak_bytes =
        0;  // of factors, contribution blocks and what is received, fronts one after the other in postorder
    index_t peak_front = -1;  // where that is reached; -1: nowhere
    index_t largest_part_front = -1;  // the front, or top of a piece, up to there that the rank holds most of
    count_t sent_bytes = 0, received_bytes = 0;
    count_t sent_messages = 0, received_messages = 0;
};

/// One for each rank. Cost: that of for_each_message over all fronts.
std::vector<RankPrediction> predict_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                          const RankMapping& mapping, const MessageRule& rule);

}  // namespace frond
