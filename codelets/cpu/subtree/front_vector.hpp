// SPDX-License-Identifier: BSD-3-Clause
// The contribution rows of a front as rows of two vectors: x for the columns of the subtree, y for
// the rows above it (position among the contribution rows of the subtree's root).
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/subtree.hpp"

#include <algorithm>
#include <cstddef>

namespace frond::cpu {

class SubtreeRows {
public:
    SubtreeRows(const AssemblyTree& tree, const Subtree& subtree) : rows_(tree.rows.data()) {
        const Front& first = tree.fronts[static_cast<std::size_t>(subtree.first_front)];
        const Front& root = tree.fronts[static_cast<std::size_t>(subtree.root_front)];
        begin_ = first.first_column;
        end_ = root.first_column + root.npiv;
        above_ = rows_ + root.rows_begin;
        above_end_ = above_ + root.ncb();
    }

    index_t columns() const { return end_ - begin_; }

    /// Slot (elimination position) of row 0 of x.
    index_t first_position() const { return begin_; }

    /// Row of x where the pivots of the front start.
    index_t pivot_row(const Front& front) const { return front.first_column - begin_; }

    /// place[i] for the contribution rows i of the front: rows of x up to the number returned, of y from there on.
    /// Both lists of rows ascend, so the search for a row above starts where the last one ended.
    index_t locate(const Front& front, index_t* place) const {
        const index_t* const rows = rows_ + front.rows_begin;
        const index_t ncb = front.ncb();
        index_t inside = ncb;
        if (ncb > 0 && rows[ncb - 1] >= end_)
            inside = static_cast<index_t>(std::lower_bound(rows, rows + ncb, end_) - rows);
        for (index_t i = 0; i < inside; ++i) place[i] = rows[i] - begin_;
        const index_t* at = above_;
        for (index_t i = inside; i < ncb; ++i, ++at) {
            if (*at != rows[i]) at = find_from(at, rows[i]);
            place[i] = static_cast<index_t>(at - above_);
        }
        return inside;
    }

private:
    /// Searches by steps that double: most rows are near.
    const index_t* find_from(const index_t* at, index_t row) const {
        std::ptrdiff_t step = 1;
        while (step < above_end_ - at && at[step] < row) {
            at += step;
            step *= 2;
        }
        return std::lower_bound(at, at + std::min(step + 1, above_end_ - at), row);
    }

    const index_t* rows_;
    index_t begin_ = 0;
    index_t end_ = 0;
    const index_t* above_ = nullptr;
    const index_t* above_end_ = nullptr;
};

/// The contribution rows of a front: t [ncb, nrhs] and where they are in x and y, both in the arena.
template <class T>
struct FrontVector {
    DenseView<T> t;
    index_t* place;
    index_t inside;  // rows of x; the others are of y

    FrontVector(const SubtreeRows& rows, const Front& front, index_t nrhs, T* arena)
        : t{arena, front.ncb(), nrhs, front.ncb()},
          place(reinterpret_cast<index_t*>(arena + static_cast<count_t>(front.ncb()) * nrhs)),
          inside(rows.locate(front, place)) {}

    void gather(DenseView<const T> x, DenseView<const T> y, bool conjugate_y) const {
        for (index_t k = 0; k < t.cols; ++k) {
            for (index_t i = 0; i < inside; ++i) t(i, k) = x(place[i], k);
            for (index_t i = inside; i < t.rows; ++i)
                t(i, k) = conjugate_y ? conjugate(y(place[i], k)) : y(place[i], k);
        }
    }

    void scatter(DenseView<T> x, DenseView<T> y) const {
        for (index_t k = 0; k < t.cols; ++k) {
            for (index_t i = 0; i < inside; ++i) x(place[i], k) = t(i, k);
            for (index_t i = inside; i < t.rows; ++i) y(place[i], k) = t(i, k);
        }
    }
};

/// Finds the fronts with failed pivots while the sweep goes up or down the tree.
template <class T>
class SecondPassCursor {
public:
    SecondPassCursor(const SubtreeSecondPasses<T>* second_passes, bool upwards) {
        if (second_passes == nullptr || second_passes->empty()) return;
        step_ = upwards ? 1 : -1;
        left_ = second_passes->fronts.size();
        at_ = second_passes->fronts.data() + (upwards ? 0 : left_ - 1);
    }

    /// The second pass of front f, or null; f moves in the cursor's direction.
    const SecondPass<T>* find(index_t f) {
        if (left_ == 0 || at_->front != f) return nullptr;
        const SecondPass<T>* found = &at_->second_pass;
        if (--left_ > 0) at_ += step_;
        return found;
    }

private:
    const typename SubtreeSecondPasses<T>::FrontWithFailedPivots* at_ = nullptr;
    std::ptrdiff_t step_ = 1;
    std::size_t left_ = 0;
};

}  // namespace frond::cpu
