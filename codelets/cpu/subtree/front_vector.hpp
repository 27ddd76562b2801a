// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "subtree_rows.hpp"

namespace frond::cpu {

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

}  // namespace frond::cpu
