// SPDX-License-Identifier: BSD-3-Clause
// What elimination leaves of the pivots of one panel: their order, D, and what became of them.
#pragma once

#include "frond/base/types.hpp"
#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_report.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

namespace frond {

/// What the tiles of one panel say to threshold pivoting, from tasks that run at the same time. The order in which they
/// say it changes nothing.
struct PanelLimit {
    std::atomic<index_t> columns{0};  // no tile lets more columns of the panel stay
    std::atomic<double> largest_l{0};  // largest |l_ij| (complex: |re| + |im|) that passed

    PanelLimit() = default;
    PanelLimit(const PanelLimit& o) noexcept : columns(o.columns.load()), largest_l(o.largest_l.load()) {}
    PanelLimit& operator=(const PanelLimit& o) noexcept {
        columns.store(o.columns.load());
        largest_l.store(o.largest_l.load());
        return *this;
    }

    /// One tile's answer, see cpu::first_column_above.
    void add(index_t first_above, double largest) noexcept {
        index_t least = columns.load(std::memory_order_relaxed);
        while (first_above < least && !columns.compare_exchange_weak(least, first_above, std::memory_order_relaxed)) {
        }
        double most = largest_l.load(std::memory_order_relaxed);
        while (largest > most && !largest_l.compare_exchange_weak(most, largest, std::memory_order_relaxed)) {
        }
    }
};

/// What became of the pivots of one panel of a front on tiles, or of a whole subtree.
struct PivotOutcome {
    PanelLimit limit;  // of a panel
    index_t kept = 0;  // pivots that the first pass eliminated
    // Rows and columns that failed and are not eliminated yet: those that the front takes along after the panel; with a
    // front's last panel after the second pass, and of a subtree, those that go to the parent,
    index_t failed_rows = 0, failed_columns = 0;
    count_t hand_over_bytes = 0;  // and what they take in a message (frond/cpu/packing.hpp)
    PivotReport counts;
    // Inverses of the diagonal tile, which a device made, are small enough to multiply with. As they do, this does not travel.
    bool inverses_usable = false;

    /// Before n columns are eliminated: all of them may stay.
    void begin(index_t n) {
        *this = {};
        limit.columns.store(n, std::memory_order_relaxed);
        kept = n;
    }
    /// The largest |l_ij| of the panel's tiles counts when all of them have said theirs.
    void note_largest() {
        counts.largest_l = std::max(counts.largest_l, limit.largest_l.load(std::memory_order_relaxed));
    }
};

/// Byte layout of the pivot record of one diagonal tile of n columns, itself StarPU data next to its outcome:
/// perm [n] index_t, then, from the next multiple of 64 bytes, pivots [2, n] and replaced [n] scalars
/// (threshold pivoting, see cpu/threshold.hpp).
template <class T>
struct PivotRecord {
    index_t* perm = nullptr;
    T* pivots = nullptr;
    T* replaced = nullptr;

    static count_t pivots_offset_bytes(index_t n) {
        return (static_cast<count_t>(n) * static_cast<count_t>(sizeof(index_t)) + 63) / 64 * 64;
    }
    static count_t bytes(index_t n) {
        return pivots_offset_bytes(n) + 3 * static_cast<count_t>(n) * static_cast<count_t>(sizeof(T));
    }
    static PivotRecord at(unsigned char* memory, index_t n) {
        T* const pivots = reinterpret_cast<T*>(memory + pivots_offset_bytes(n));
        return {reinterpret_cast<index_t*>(memory), pivots, pivots + 2 * static_cast<count_t>(n)};
    }
};

namespace cpu {

/// A pivot record of n columns with its outcome, for messages.
template <class T>
struct PanelPivots {
    index_t n = 0;
    PivotOutcome* outcome = nullptr;
    PivotRecord<T> record;
};

}  // namespace cpu

}  // namespace frond

namespace frond::cpu {

// Which rows of a tall block partial pivoting takes; single-threaded, without allocation.

/// Rows `upper`, of a diagonal tile, and `lower`, below it, of a front are exchanged.
struct RowExchange {
    index_t upper = 0, lower = 0;

    bool operator==(const RowExchange&) const = default;
};

/// The exchanges of a panel. No row is in two of them.
struct RowExchanges {
    std::vector<RowExchange> list;
};

/// Swaps of partial pivoting of a tall block a [m, n], m >= n: at step k rows k and swaps[k] >= k are exchanged, so
/// that the first n rows are those of its pivots afterwards. a is overwritten. A column of zeros takes any row.
template <class T>
void select_pivot_rows(DenseView<T> a, index_t* swaps);

/// What a core says of the pivots of a piece that it factored while a device did others.
template <class T>
struct PiecePivots {
    index_t first_column = 0;
    std::vector<T> pivots;  // the diagonal of L or U, or D of L D L^T as [2, columns]
    std::vector<index_t> perm;  // [columns] local to each front
    PivotReport report;
    bool are_good = false;  // none was replaced or failed, so that the piece is as a device leaves one
};

}  // namespace frond::cpu
