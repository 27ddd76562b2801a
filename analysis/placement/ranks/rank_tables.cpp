// SPDX-License-Identifier: BSD-3-Clause
#include "rank_tables.hpp"

#include "../mapping_parts.hpp"
#include "frond/base/vector_index.hpp"
#include "pair_table.hpp"
#include "ranks_parts.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

RankGrid rows_and_columns(index_t ranks) {
    for (index_t used = ranks; used > 1; --used)
        for (auto rows = static_cast<index_t>(std::sqrt(static_cast<double>(used))); rows >= 1; --rows) {
            if (used % rows != 0 || used / rows > 3 * rows) continue;
            RankGrid grid{rows, used / rows, {}};
            for (index_t r = 0; r < used; ++r) grid.rank.push_back(r);
            return grid;
        }
    return {};
}

// Tiles fall into `classes` by their row and by their column, number modulo classes. Each pair of different classes
// has a rank, so a tile of L is read by the ranks of its class alone, classes - 1 of them; rows and columns of ranks
// need sqrt(2) times as many. Tiles with both in one class go
//   basic     (classes (classes - 1) / 2 ranks) to the ranks of that class in turn;
//   extended  (classes^2 / 2 ranks, classes even) to further ranks, one for every two classes.
struct SymmetricTable {
    index_t classes = 0;
    bool extended = false;

    index_t ranks() const { return extended ? classes * classes / 2 : classes * (classes - 1) / 2; }
    index_t pair(index_t a, index_t b) const {
        const index_t low = std::min(a, b), high = std::max(a, b);
        return low * (2 * classes - low - 1) / 2 + high - low - 1;
    }
    index_t owner(index_t i, index_t j) const {
        const index_t a = i % classes, b = j % classes;
        if (a != b) return pair(a, b);
        if (extended) return classes * (classes - 1) / 2 + a % (classes / 2);
        return pair(a, (a + 1 + (i / classes + j / classes) % (classes - 1)) % classes);
    }
    RankGrid grid() const {
        // With three classes the ranks need not take turns: each has one pair and one class.
        const index_t order = extended || classes == 3 ? classes : classes * (classes - 1);
        RankGrid grid{order, order, {}};
        for (index_t i = 0; i < order; ++i)
            for (index_t j = 0; j < order; ++j) grid.rank.push_back(owner(i, j));
        return grid;
    }
};

SymmetricTable largest_symmetric(index_t ranks) {
    SymmetricTable best;
    for (index_t classes = 2; classes * (classes - 1) / 2 <= ranks; ++classes)
        for (const bool extended : {false, true}) {
            const SymmetricTable table{classes, extended};
            if (extended ? classes % 2 != 0 : classes < 3) continue;
            if (table.ranks() <= ranks && table.ranks() > best.ranks()) best = table;
        }
    return best;
}

/// A table that is not a PairTable.
struct CyclicTable {
    RankGrid grid;
    index_t ranks = 1;
    double part_of_lines = 1;  // of tile rows and columns, those from which a rank receives tiles
};

CyclicTable largest_cyclic(index_t ranks, bool symmetric) {
    RankGrid plain = rows_and_columns(ranks);
    const index_t in_plain = plain.rows * plain.cols;
    const SymmetricTable table = symmetric ? largest_symmetric(ranks) : SymmetricTable();
    if (table.ranks() >= in_plain && table.ranks() > 1) return {table.grid(), table.ranks(), 2.0 / table.classes};
    return {plain, in_plain, 1.0 / plain.rows + 1.0 / plain.cols};
}

/// What a table costs: work of the rank that has most, over the mean, and what it receives, which counts a third where all is
/// well balanced.
double cost_of(double imbalance, double part_of_lines, index_t ranks) {
    return imbalance * (1 + part_of_lines * std::sqrt(static_cast<double>(ranks)) / 2);
}

/// Classes of which a rank can have all pairs of few: of three, with one class more.
index_t enough_classes(index_t ranks) { return static_cast<index_t>(std::sqrt(6.0 * ranks)) + 3; }

}  // namespace

std::vector<index_t> RankGrid::members() const {
    std::vector<index_t> all = rank;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Each class has two lines or more, so that ranks have as much to do.
index_t RankTables::most_classes(index_t ranks, index_t lines) const {
    return symmetric_ ? std::min(enough_classes(ranks), lines / 2) : 0;
}

bool RankTables::has(index_t ranks, index_t lines) const {
    const index_t classes = most_classes(ranks, lines);
    return classes * (classes - 1) / 2 >= ranks || largest_cyclic(ranks, symmetric_).ranks == ranks;
}

const RankGrid& RankTables::table(index_t ranks, index_t lines) {
    const std::pair key(ranks, most_classes(ranks, lines));
    const std::lock_guard lock(mutex_);
    const auto made = made_.find(key);
    if (made != made_.end()) return made->second;
    return made_.emplace(key, make(key.first, key.second)).first->second;
}

RankGrid RankTables::make(index_t ranks, index_t most_classes) const {
    CyclicTable cyclic = largest_cyclic(ranks, symmetric_);
    double least = cyclic.ranks == ranks ? cost_of(1, cyclic.part_of_lines, ranks) : 0;  // 0: there is none
    RankGrid best = std::move(cyclic.grid);
    for (index_t classes = 3; classes <= most_classes; ++classes) {
        if (classes * (classes - 1) / 2 < ranks) continue;
        const PairTable pairs(ranks, classes);
        const double cost = cost_of(pairs.imbalance(), pairs.part_of_lines(), ranks);
        if (least == 0 || cost < least) best = pairs.grid(), least = cost;
    }
    return best;
}

namespace {

double mean_rate(const RankMachine& machine) {
    double rate = 0;
    for (const double r : machine.flops_per_second) rate += r / static_cast<double>(machine.flops_per_second.size());
    return rate;
}

/// About the bytes that a rank receives of the panels of a front: a tile of L goes to the ranks of its row and, for
/// symmetric kinds, column of tiles, L U: and one of U to those of its column.
double bytes_of_panels(const Front& front, index_t ranks, const MessageRule& rule) {
    const double n = front.nfront, k = front.npiv, p = ranks;
    const double factors = (rule.kind == Factorization::lu ? 2 : 1) * (n * k - k * k / 2);
    const double lines = std::sqrt(rule.kind == Factorization::lu ? p : 2 * p);
    return factors * (lines - 1) / p * static_cast<double>(rule.scalar_bytes);
}

}  // namespace

// The time of all panels of a front: the diagonal tile and what is solved with it, then two broadcasts and a tile on
// its way.
double seconds_of_panels(const Front& front, index_t ranks, double rate, const RankMachine& machine,
                         count_t scalar_bytes) {
    if (ranks == 1) return 0;
    const double b = tile_size_of(front.nfront, ranks, 0), panels = std::ceil(front.npiv / b);
    const double hops = 2 * std::ceil(std::log2(static_cast<double>(ranks)));
    return panels * (4 * b * b * b / 3 / rate + hops * machine.message_seconds +
                     b * b * static_cast<double>(scalar_bytes) / machine.bytes_per_second);
}

std::vector<index_t> quickest_ranks(const Front& front, double flops, index_t most, const RankMachine& machine,
                                    const MessageRule& rule, const RankTables& tables) {
    if (most == 1 || front.nfront < least_shared_order) return {1};
    const double rate = mean_rate(machine);
    std::vector<std::pair<double, index_t>> all;
    for (index_t ranks = 1; ranks <= most; ++ranks) {
        if (!tables.has(ranks, least_lines(front))) continue;
        double seconds = flops / (ranks * rate);  // panels travel meanwhile
        if (ranks > 1) seconds = std::max(seconds, bytes_of_panels(front, ranks, rule) / machine.bytes_per_second);
        all.push_back({seconds + seconds_of_panels(front, ranks, rate, machine, rule.scalar_bytes), ranks});
    }
    std::sort(all.begin(), all.end());
    std::vector<index_t> counts;
    for (const auto& [seconds, ranks] : all) counts.push_back(ranks);
    return counts;
}

}  // namespace frond
