// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "kernels/dense/eliminate.hpp"
#include "vendor.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {

/// Subtracts from columns of a front what its pivots [panel.first, panel.npiv) leave there. The steps of elimination have
/// changed nothing but the panel's columns yet.
/// L U: rows [panel.first, panel.npiv) of the strip become rows of U in the order of the pivots. Symmetric kinds: they
/// become D L^H, as scratch.
template <class T>
class SubtractPanel {
public:
    /// end_of_ordered_rows(first): of the rows among which pivots are put in order.
    SubtractPanel(Factorization kind, Stream stream, BlasHandle blas,
                  std::function<index_t(index_t)> end_of_ordered_rows)
        : kind_(kind), stream_(stream), blas_(blas), end_of_ordered_rows_(std::move(end_of_ordered_rows)) {}

    /// panel, strip: columns of one front, behind each other. Asynchronous on the stream, which is the handle's.
    void from(const DenseFront<T>& strip, const DenseFront<T>& panel) const;

private:
    void eliminate_rows_of_u(const DenseFront<T>& panel, const DenseFront<T>& strip) const;
    void subtract_symmetric(const DenseFront<T>& panel, const DenseFront<T>& strip) const;

    Factorization kind_;
    Stream stream_;
    BlasHandle blas_;
    std::function<index_t(index_t)> end_of_ordered_rows_;
};

/// Rows of a front from `row` on. Those that fill up the leading dimension are computed, too: with an odd number of rows
/// the vendor's product is a quarter slower.
template <class T>
index_t rows_from(const DenseFront<T>& front, index_t row) {
    return static_cast<index_t>(front.ld) - row;
}

}  // namespace frond::gpu
