// SPDX-License-Identifier: BSD-3-Clause
// Entries in any order to columns with ascending rows: stable, on threads, the same for any number of them.
#pragma once

#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "entry_source.hpp"

#include <bit>
#include <utility>
#include <vector>

namespace frond::detail {

/// Sorts by two counting sorts: the list's blocks bring entries to buckets of neighbouring columns, each bucket to its
/// columns. Entries of equal row stay in the order of the list. O(entries + cols), and O(log) of a column's length for
/// each entry of one whose rows are not in order. Memory: each entry once more, with row and column.
template <class V>
class ColumnSort {
public:
    template <class Placed>
    ColumnSort(const Placed& placed, index_t threads)
        : threads_(threads), rows_(placed.rows()), cols_(placed.cols()), blocks_(blocks_of(placed.entries())) {
        const auto cols = static_cast<std::uint64_t>(std::max<index_t>(1, placed.cols()));
        const auto buckets = static_cast<std::uint64_t>(std::clamp<count_t>(placed.entries() >> 15, 1, most_buckets));
        shift_ = std::bit_width((cols - 1) / buckets);
        buckets_ = static_cast<count_t>((cols - 1) >> shift_) + 1;
        bring_to_buckets(placed);
    }

    /// strictly: no row is twice in a column.
    SparseMatrix<V> sorted(bool& strictly) {
        SparseMatrix<V> a;
        a.pattern.rows = rows_;
        a.pattern.cols = cols_;
        resize_in_huge_pages(a.pattern.begin, at(a.cols()) + 1);
        resize_in_huge_pages(a.pattern.row, entries_.size());
        resize_in_huge_pages(a.value, entries_.size());
        a.pattern.begin.back() = static_cast<count_t>(entries_.size());
        std::atomic<bool> all_strict = true;
        on_threads(threads_, buckets_, [&](Chunks& chunks) {
            Scratch scratch;
            for (count_t b = 0; chunks.take(b);)
                if (!sort_bucket(a, b, scratch)) all_strict.store(false, std::memory_order_relaxed);
        });
        strictly = all_strict;
        return a;
    }

private:
    static constexpr count_t most_buckets = 512;

    struct Entry {
        index_t row, column;
        V value;
    };
    struct Scratch {
        std::vector<count_t> next;
        std::vector<std::pair<index_t, V>> column;
    };

    template <class Placed>
    void bring_to_buckets(const Placed& placed) {
        std::vector<count_t> next(at(blocks_.count() * buckets_), 0);  // by block, then bucket
        for_each_chunk(threads_, blocks_.count(), [&](count_t block) {
            count_t* const count = next.data() + block * buckets_;
            placed.for_range(blocks_.first(block), blocks_.last(block),
                             [&](count_t, index_t, index_t column, V) { ++count[column >> shift_]; });
        });
        begin_.assign(1, 0);
        count_t sum = 0;
        for (count_t b = 0; b < buckets_; ++b) {
            for (count_t block = 0; block < blocks_.count(); ++block)
                sum += std::exchange(next[at(block * buckets_ + b)], sum);
            begin_.push_back(sum);
        }
        entries_.resize(at(placed.entries()));
        for_each_chunk(threads_, blocks_.count(), [&](count_t block) {
            count_t* const to = next.data() + block * buckets_;
            placed.for_range(blocks_.first(block), blocks_.last(block),
                             [&](count_t, index_t row, index_t column, V value) {
                                 entries_[at(to[column >> shift_]++)] = {row, column, value};
                             });
        });
    }

    /// True: rows ascend strictly in all columns of the bucket.
    bool sort_bucket(SparseMatrix<V>& a, count_t b, Scratch& scratch) const {
        const index_t first = static_cast<index_t>(b << shift_);
        const index_t last = static_cast<index_t>(std::min<count_t>(a.cols(), (b + 1) << shift_));
        std::vector<count_t>& next = scratch.next;
        next.assign(at(last - first), 0);
        for (count_t k = begin_[at(b)]; k < begin_[at(b) + 1]; ++k) ++next[at(entries_[at(k)].column - first)];
        count_t sum = begin_[at(b)];
        for (index_t j = first; j < last; ++j) {
            a.pattern.begin[at(j)] = sum;
            sum += std::exchange(next[at(j - first)], sum);
        }
        bool ascending = true;
        for (count_t k = begin_[at(b)]; k < begin_[at(b) + 1]; ++k) {
            const Entry& entry = entries_[at(k)];
            const count_t e = next[at(entry.column - first)]++;
            ascending &= e == a.pattern.begin[at(entry.column)] || a.pattern.row[at(e) - 1] < entry.row;
            a.pattern.row[at(e)] = entry.row;
            a.value[at(e)] = entry.value;
        }
        if (ascending) return true;
        bool strictly = true;
        for (index_t j = first; j < last; ++j)
            strictly &= sort_column(a, a.pattern.begin[at(j)], next[at(j - first)], scratch);
        return strictly;
    }

    static bool sort_column(SparseMatrix<V>& a, count_t first, count_t last, Scratch& scratch) {
        constexpr count_t quick_by_insertion = 32;
        index_t* const row = a.pattern.row.data();
        if (!std::is_sorted(row + first, row + last)) {
            if (last - first <= quick_by_insertion)
                insert_in_order(row, a.value.data(), first, last);
            else
                sort_long_column(row, a.value.data(), first, last, scratch);
        }
        return std::adjacent_find(row + first, row + last) == row + last;
    }

    static void insert_in_order(index_t* row, V* value, count_t first, count_t last) {
        for (count_t e = first + 1; e < last; ++e) {
            const index_t r = row[e];
            const V v = value[e];
            count_t to = e;
            for (; to > first && row[to - 1] > r; --to) {
                row[to] = row[to - 1];
                value[to] = value[to - 1];
            }
            row[to] = r;
            value[to] = v;
        }
    }

    static void sort_long_column(index_t* row, V* value, count_t first, count_t last, Scratch& scratch) {
        auto& column = scratch.column;
        column.clear();
        for (count_t e = first; e < last; ++e) column.push_back({row[e], value[e]});
        std::stable_sort(column.begin(), column.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
        for (const auto& [r, v] : column) {
            row[first] = r;
            value[first++] = v;
        }
    }

    index_t threads_, rows_, cols_;
    ChunkedRange blocks_;
    int shift_ = 0;
    count_t buckets_ = 1;
    std::vector<count_t> begin_;  // [buckets + 1] in entries_
    LargeVector<Entry> entries_;  // by bucket
};

template <class Placed>
ColumnSort(const Placed&, index_t) -> ColumnSort<typename Placed::Value>;

}  // namespace frond::detail
