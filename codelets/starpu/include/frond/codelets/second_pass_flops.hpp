// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

/// Operations (of a real scalar) of the second pass that left `l`, without the contribution block.
template <class T>
double second_pass_flops(Factorization kind, const cpu::SecondPass<T>& l) {
    return kind == Factorization::lu ? second_pass_lu_flops(l.rows(), l.cols(), l.ncb, l.kept)
                                     : second_pass_symmetric_flops(l.cols(), l.ncb, l.kept) + l.search_flops;
}

/// Operations of accept_pivots beyond those of the panel's own tasks. n: columns of the panel; rows, cols:
/// failed before.
template <class T>
double accept_flops(const AcceptPivotsArguments<T>& a, index_t n, index_t rows, index_t cols) {
    const auto& cut = a.grid->cut;
    const double below = cut.back() - cut[static_cast<std::size_t>(a.panel) + 1];
    return flops_per_real<T> * (a.kind == Factorization::lu ? accept_lu_flops(n, *a.kept, below, rows, cols)
                                                            : accept_symmetric_flops(n, *a.kept, below, rows));
}

}  // namespace frond
