// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/flop_counts.hpp"
#include "frond/cpu/leftover.hpp"

namespace frond {

/// Kept pivots that are not null.
template <class T>
double regular_pivots(Factorization kind, const cpu::Leftover<T>& l) {
    index_t null = 0;
    for (std::size_t k = 0; kind != Factorization::lu && k < l.pivots.size(); k += 2) {
        if (l.pivots[k + 1] != T(0))
            k += 2;
        else if (l.pivots[k] == T(0))
            ++null;
    }
    return l.kept - null;
}

/// Operations (of a real scalar) of the second pass that left `l`, without the contribution block.
template <class T>
double leftover_flops(Factorization kind, const cpu::Leftover<T>& l) {
    const double pivots = regular_pivots(kind, l);
    return kind == Factorization::lu ? leftover_lu_flops(l.rows(), l.cols(), l.ncb, pivots)
                                     : leftover_symmetric_flops(l.cols(), l.ncb, pivots);
}

}  // namespace frond
