// SPDX-License-Identifier: BSD-3-Clause
// target(rows[i], rows[j]) += child(i, j), bound by memory. Rows of a child come in runs of
// consecutive numbers, along which a column is added by vectors.
#pragma once

#include "../vector.hpp"

namespace frond::cpu::FROND_ISA {

/// to [m] += from [m]
template <class T>
FROND_INLINE void add_run(index_t m, const T* from, T* to) {
    for_each_vector<T>(
        m, [&](index_t i, auto span)
               __attribute__((always_inline)) { span.put(to + i, span.get(to + i) + span.get(from + i)); });
}

/// Runs of consecutive target rows of rows [n], found once for all columns.
class Runs {
public:
    /// first: child row, shift: target row minus child row.
    struct Run {
        index_t first, end, shift;
    };

    /// Covers rows from 0 on as far as the table goes: n_covered() rows.
    FROND_INLINE Runs(const index_t* rows, index_t n) {
        index_t i = 0;
        while (i < n && count_ < capacity) {
            index_t end = i + 1;
            while (end < n && rows[end] == rows[end - 1] + 1) ++end;
            run_[count_++] = {i, end, rows[i] - i};
            i = end;
        }
        covered_ = i;
    }

    int count() const { return count_; }

    index_t covered() const { return covered_; }

    const Run& operator[](int r) const { return run_[r]; }

private:
    static constexpr int capacity = 256;
    Run run_[capacity];
    int count_ = 0;
    index_t covered_ = 0;
};

/// Runs this long on average are worth the vector loop.
inline constexpr index_t shortest_average_run = 6;

/// Column of child rows from `first` on: to[rows[i]] += from[i]. from_run: the run that holds
/// first.
template <class T>
FROND_INLINE void add_column(const Runs& runs, int from_run, index_t first, index_t n, const index_t* rows,
                             const T* from, T* to) {
    for (int r = from_run; r < runs.count(); ++r) {
        const index_t begin = first > runs[r].first ? first : runs[r].first;
        add_run<T>(runs[r].end - begin, from + begin, to + begin + runs[r].shift);
    }
    for (index_t i = first > runs.covered() ? first : runs.covered(); i < n; ++i) to[rows[i]] += from[i];
}

template <class T>
FROND_INLINE void scatter_column(index_t first, index_t end, const index_t* rows, const T* from, T* to) {
    for (index_t i = first; i < end; ++i) to[rows[i]] += from[i];
}

/// Lower triangle of child [n, n] into panel [., npiv] and contribution.
template <class T>
void extend_add_triangle(index_t n, const T* child, index_t ld, const index_t* rows, index_t npiv, T* panel,
                         index_t ld_panel, T* contribution, index_t ld_contribution) {
    const Runs runs(rows, n);
    const bool by_runs = n >= shortest_average_run * runs.count();
    int run = 0;
    for (index_t j = 0; j < n; ++j) {
        const index_t column = rows[j];
        T* to = column < npiv ? panel + static_cast<count_t>(column) * ld_panel
                              : contribution + static_cast<count_t>(column - npiv) * ld_contribution - npiv;
        const T* from = child + static_cast<count_t>(j) * ld;
        while (run < runs.count() && runs[run].end <= j) ++run;
        if (by_runs)
            add_column<T>(runs, run, j, n, rows, from, to);
        else
            scatter_column<T>(j, n, rows, from, to);
    }
}

/// Square child [n, n] into panel [., npiv], upper [npiv, .] and contribution.
template <class T>
void extend_add_square(index_t n, const T* child, index_t ld, const index_t* rows, index_t npiv, T* panel,
                       index_t ld_panel, T* upper, index_t ld_upper, T* contribution, index_t ld_contribution) {
    index_t summed = 0;  // child rows among the fully summed ones of the parent
    while (summed < n && rows[summed] < npiv) ++summed;
    const Runs all(rows, n), top(rows, summed), bottom(rows + summed, n - summed);
    const bool by_runs = n >= shortest_average_run * all.count();
    for (index_t j = 0; j < n; ++j) {
        const T* from = child + static_cast<count_t>(j) * ld;
        const count_t column = rows[j];
        if (column < npiv) {
            T* to = panel + column * ld_panel;
            if (by_runs)
                add_column<T>(all, 0, 0, n, rows, from, to);
            else
                scatter_column<T>(0, n, rows, from, to);
            continue;
        }
        T* above = upper + (column - npiv) * ld_upper;
        T* below = contribution + (column - npiv) * ld_contribution - npiv;
        if (by_runs) {
            add_column<T>(top, 0, 0, summed, rows, from, above);
            add_column<T>(bottom, 0, 0, n - summed, rows + summed, from + summed, below);
        } else {
            scatter_column<T>(0, summed, rows, from, above);
            scatter_column<T>(summed, n, rows, from, below);
        }
    }
}

}  // namespace frond::cpu::FROND_ISA
