// SPDX-License-Identifier: BSD-3-Clause
#include "../base/on_threads.hpp"
#include "forest.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

namespace frond {

std::vector<index_t> front_of_columns(const AssemblyTree& tree) {
    std::vector<index_t> front_of(static_cast<std::size_t>(tree.order));
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[f];
        std::fill_n(front_of.begin() + front.first_column, front.npiv, f);
    }
    return front_of;
}

namespace {

/// The entries of A and where B has them.
struct PlacedMatrix {
    const Pattern& a;
    bool one_triangle;
    bool symmetric_kind;
    std::vector<index_t> row_position;
    std::vector<index_t> column_position;

    /// Calls place(row, column, source) for every entry of the columns first .. last of A that the
    /// factorization wants.
    template <class Place>
    void for_each(count_t first, count_t last, Place place) const {
        for (auto j = static_cast<index_t>(first); j < last; ++j) {
            const index_t column = column_position[j];
            for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
                const index_t i = a.row[e];
                const index_t row = row_position[i];
                if (!symmetric_kind) {
                    place(row, column, e);
                    if (one_triangle && i != j) place(row_position[j], column_position[i], ~e);
                } else if (row >= column) {
                    place(row, column, e);
                } else {
                    place(column, row, ~e);
                }
            }
        }
    }
};

/// x := x + 1, returns the old value; by several threads at once if `shared`.
count_t count_up(count_t& x, bool shared) {
    return shared ? std::atomic_ref(x).fetch_add(1, std::memory_order_relaxed) : x++;
}

/// The entries of each front at their elimination positions, in no order.
EntryMap entries_by_front(const PlacedMatrix& placed, const AssemblyTree& tree, index_t threads) {
    constexpr count_t columns_of_chunk = 8192;
    const std::vector<index_t> front_of = front_of_columns(tree);
    const ChunkedRange columns{placed.a.cols, columns_of_chunk};
    const bool shared = threads > 1;
    EntryMap map;
    map.front_begin.assign(tree.fronts.size() + 1, 0);
    for_each_chunk(threads, columns.count(), [&](count_t c) {
        placed.for_each(columns.first(c), columns.last(c), [&](index_t row, index_t column, count_t) {
            count_up(map.front_begin[front_of[std::min(row, column)] + 1], shared);
        });
    });
    for (index_t f = 0; f < tree.front_count(); ++f) map.front_begin[f + 1] += map.front_begin[f];
    const std::size_t entries = static_cast<std::size_t>(map.front_begin.back());
    map.source.resize(entries);
    map.row.resize(entries);
    map.column.resize(entries);
    std::vector<count_t> next(map.front_begin.begin(), map.front_begin.end() - 1);
    for_each_chunk(threads, columns.count(), [&](count_t c) {
        placed.for_each(columns.first(c), columns.last(c), [&](index_t row, index_t column, count_t source) {
            const count_t to = count_up(next[front_of[std::min(row, column)]], shared);
            map.source[to] = source;
            map.row[to] = row;
            map.column[to] = column;
        });
    });
    return map;
}

/// Numbers and sorts the entries of one front after the other, in memory that stays in cache.
class FrontSorter {
public:
    FrontSorter(const AssemblyTree& tree, EntryMap& map)
        : tree_(tree),
          map_(map),
          local_(std::make_unique_for_overwrite<index_t[]>(static_cast<std::size_t>(tree.order))) {}

    /// Sorts by column, then row: two stable counting sorts over the local numbers.
    void sort(index_t f) {
        const count_t first = map_.front_begin[f];
        const count_t last = map_.front_begin[f + 1];
        number_rows(tree_.fronts[f]);
        for (count_t e = first; e < last; ++e) {
            map_.row[e] = local_[map_.row[e]];
            map_.column[e] = local_[map_.column[e]];
        }
        by_row_.resize(static_cast<std::size_t>(last - first));
        count_keys(tree_.fronts[f].nfront, map_.row, first, last);
        for (count_t e = first; e < last; ++e) {
            by_row_[begin_[map_.row[e]]++] = {map_.row[e], map_.column[e], map_.source[e]};
        }
        count_keys(tree_.fronts[f].nfront, map_.column, first, last);
        for (const Placed& placed : by_row_) {
            const count_t to = first + begin_[placed.column]++;
            map_.source[to] = placed.source;
            map_.row[to] = placed.row;
            map_.column[to] = placed.column;
        }
    }

private:
    void number_rows(const Front& front) {
        for (index_t i = 0; i < front.npiv; ++i) local_[front.first_column + i] = i;
        for (index_t i = 0; i < front.ncb(); ++i) {
            local_[tree_.rows[front.rows_begin + i]] = front.npiv + i;
        }
    }

    /// begin_[k] = entries first .. last with a key below k.
    void count_keys(index_t keys, const std::vector<index_t>& key, count_t first, count_t last) {
        begin_.assign(static_cast<std::size_t>(keys) + 1, 0);
        for (count_t e = first; e < last; ++e) ++begin_[key[e] + 1];
        for (index_t k = 0; k < keys; ++k) begin_[k + 1] += begin_[k];
    }

    struct Placed {
        index_t row;
        index_t column;
        count_t source;
    };

    const AssemblyTree& tree_;
    EntryMap& map_;
    std::unique_ptr<index_t[]> local_;  // by elimination position, valid for the rows of one front
    std::vector<Placed> by_row_;
    std::vector<count_t> begin_;
};

/// Fronts are taken in chunks of about so many entries.
void sort_fronts(const AssemblyTree& tree, EntryMap& map, index_t threads) {
    constexpr count_t entries_of_chunk = 16384;
    const ChunkedRange entries{map.front_begin.back(), entries_of_chunk};
    // The chunk's fronts are those that begin in it.
    const auto front_from = [&](count_t entry) {
        const auto first = map.front_begin.begin();
        return static_cast<index_t>(std::lower_bound(first, map.front_begin.end() - 1, entry) - first);
    };
    on_threads(threads, entries.count(), [&](Chunks& chunks) {
        FrontSorter sorter(tree, map);
        for (count_t c = 0; chunks.take(c);)
            for (index_t f = front_from(entries.first(c)), end = front_from(entries.last(c)); f < end; ++f)
                sorter.sort(f);
    });
}

index_t position_of(const AssemblyTree& tree, const Front& front, index_t local) {
    return local < front.npiv ? front.first_column + local : tree.rows[front.rows_begin + local - front.npiv];
}

/// An entry on its way to a front of another tree, at its elimination position there.
struct MovedEntry {
    index_t front, row, column;
    count_t source;
};

/// The entries of the fronts that no front of the new tree is like.
std::vector<MovedEntry> entries_that_move(const EntryMap& given, const MovedTree& moved, Factorization kind) {
    const std::vector<index_t> front_of = front_of_columns(moved.tree);
    std::vector<std::uint8_t> stays(moved.before.fronts.size(), 0);
    for (const index_t f : moved.front_before)
        if (f >= 0) stays[f] = 1;
    std::vector<MovedEntry> entries;
    for (index_t f = 0; f < moved.before.front_count(); ++f) {
        const Front& front = moved.before.fronts[f];
        for (count_t e = given.front_begin[f]; stays[f] == 0 && e < given.front_begin[f + 1]; ++e) {
            index_t row = moved.row_position[position_of(moved.before, front, given.row[e])];
            index_t column = moved.column_position[position_of(moved.before, front, given.column[e])];
            const bool is_mirrored = kind != Factorization::lu && row < column;
            if (is_mirrored) std::swap(row, column);
            entries.push_back(
                {front_of[std::min(row, column)], row, column, is_mirrored ? ~given.source[e] : given.source[e]});
        }
    }
    return entries;
}

/// Those of fronts that are like one before: local numbers are the same.
void copy_entries(const EntryMap& given, const MovedTree& moved, index_t threads, EntryMap& map) {
    constexpr count_t fronts_of_chunk = 64;
    const ChunkedRange fronts{moved.tree.front_count(), fronts_of_chunk};
    for_each_chunk(threads, fronts.count(), [&](count_t c) {
        for (count_t f = fronts.first(c); f < fronts.last(c); ++f) {
            const index_t before = moved.front_before[f];
            if (before < 0) continue;
            const count_t first = given.front_begin[before], last = given.front_begin[before + 1];
            const count_t to = map.front_begin[f];
            std::copy(given.source.begin() + first, given.source.begin() + last, map.source.begin() + to);
            std::copy(given.row.begin() + first, given.row.begin() + last, map.row.begin() + to);
            std::copy(given.column.begin() + first, given.column.begin() + last, map.column.begin() + to);
        }
    });
}

}  // namespace

EntryMap move_entries(const EntryMap& given, const MovedTree& moved, Factorization kind, index_t threads) {
    const std::vector<MovedEntry> entries = entries_that_move(given, moved, kind);
    EntryMap map;
    map.front_begin.assign(moved.tree.fronts.size() + 1, 0);
    for (const MovedEntry& entry : entries) ++map.front_begin[entry.front + 1];
    for (index_t f = 0; f < moved.tree.front_count(); ++f) {
        const index_t before = moved.front_before[f];
        if (before >= 0) map.front_begin[f + 1] = given.front_begin[before + 1] - given.front_begin[before];
        map.front_begin[f + 1] += map.front_begin[f];
    }
    map.source.resize(given.source.size());
    map.row.resize(given.row.size());
    map.column.resize(given.column.size());
    std::vector<count_t> next(map.front_begin.begin(), map.front_begin.end() - 1);
    for (const MovedEntry& entry : entries) {
        const count_t to = next[entry.front]++;
        map.source[to] = entry.source;
        map.row[to] = entry.row;
        map.column[to] = entry.column;
    }
    FrontSorter sorter(moved.tree, map);
    for (index_t f = 0; f < moved.tree.front_count(); ++f)
        if (moved.front_before[f] < 0) sorter.sort(f);
    copy_entries(given, moved, threads, map);
    return map;
}

// An entry belongs to the front that eliminates the first of its row and column: until then no
// other front reads it.
EntryMap map_entries(const Pattern& a, Symmetry symmetry, const std::vector<index_t>& row_order,
                     const std::vector<index_t>& column_order, const AssemblyTree& tree, Factorization kind,
                     index_t threads) {
    FROND_EXPECTS(a.rows == tree.order && a.cols == tree.order &&
                      static_cast<index_t>(row_order.size()) == tree.order &&
                      static_cast<index_t>(column_order.size()) == tree.order,
                  "the matrix is " + std::to_string(a.rows) + " x " + std::to_string(a.cols) + ", the tree has " +
                      std::to_string(tree.order) + " columns");
    const bool one_triangle = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
    const bool symmetric_kind = kind != Factorization::lu;
    FROND_EXPECTS(!symmetric_kind || one_triangle, "a symmetric factorization needs a matrix stored by one triangle");
    const PlacedMatrix placed{a, one_triangle, symmetric_kind, inverse_permutation(row_order),
                              inverse_permutation(column_order)};
    EntryMap map = entries_by_front(placed, tree, threads);
    sort_fronts(tree, map, threads);
    return map;
}

}  // namespace frond
