// SPDX-License-Identifier: BSD-3-Clause
#include "settle_panel.hpp"

#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// Bound of what settling takes: the copy of A(F, panel) or L(F, panel) D, a work vector, and the columns
/// given back. How many these are is known where no pending row can lower the limit.
template <class T>
count_t settle_bytes(Factorization kind, index_t limit, const FactoredPanel<T>& panel,
                     const FailedColumns<T>& pending) {
    const bool lu = kind == Factorization::lu;
    const index_t n = panel.diagonal.cols, rows = pending.rows();
    index_t kept = 0;
    if (rows == 0) {
        kept = std::min(limit, first_replaced_pivot(n, panel.replaced));
        if (!lu) kept = whole_pivots(kept, panel.pivots);
    }
    const count_t work = lu ? solve_panel_lu_upper_workspace(n, pending.cols()) : 0;
    const count_t given_back = kept < n ? pending.append_bytes(!lu, n - kept, n - kept) : 0;
    return bytes_of<T>(static_cast<count_t>(rows) * n) + std::max(pending.empty() ? 0 : bytes_of<T>(work), given_back);
}

}  // namespace

template <class T>
index_t settle_panel(Factorization kind, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                     FailedColumns<T>& pending, PivotReport& report) {
    const EnsuredBytes ensured(pending.account, settle_bytes(kind, limit, panel, pending));
    const index_t kept = kind == Factorization::lu ? settle_lu_panel(rule, limit, panel, pending, report.largest_l)
                                                   : settle_symmetric_panel(kind == Factorization::ldlh, rule, limit,
                                                                            panel, pending, report.largest_l);
    count_pivots<T>(kind, kept, panel.diagonal, panel.pivots, report);
    return kept;
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template index_t settle_panel<T>(Factorization, const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, \
                                     PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
