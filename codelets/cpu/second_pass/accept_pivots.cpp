// SPDX-License-Identifier: BSD-3-Clause
#include "accept_pivots.hpp"

#include "counted_vector.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// Bound of what accepting takes: the copy of A(F, panel) or L(F, panel) D, a work vector, and the columns
/// given back. How many these are is known where no failed row can lower the limit.
template <class T>
count_t accept_bytes(Factorization kind, index_t limit, const FactoredPanel<T>& panel, const FailedColumns<T>& failed) {
    const bool lu = kind == Factorization::lu;
    const index_t n = panel.diagonal.cols, rows = failed.rows();
    index_t kept = 0;
    if (rows == 0) {
        kept = std::min(limit, first_replaced_pivot(n, panel.replaced));
        if (!lu) kept = whole_pivots(kept, panel.pivots);
    }
    const count_t work = lu ? solve_panel_lu_upper_workspace(n, failed.cols()) : 0;
    const count_t given_back = kept < n ? failed.append_bytes(!lu, n - kept, n - kept) : 0;
    return bytes_of<T>(static_cast<count_t>(rows) * n) + std::max(failed.empty() ? 0 : bytes_of<T>(work), given_back);
}

}  // namespace

template <class T>
index_t accept_pivots(Factorization kind, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                      FailedColumns<T>& failed, PivotReport& report) {
    const EnsuredBytes ensured(failed.account, accept_bytes(kind, limit, panel, failed));
    const index_t kept = kind == Factorization::lu ? accept_lu_pivots(rule, limit, panel, failed, report.largest_l)
                                                   : accept_symmetric_pivots(kind == Factorization::ldlh, rule, limit,
                                                                             panel, failed, report.largest_l);
    count_pivots<T>(kind, kept, panel.diagonal, panel.pivots, report);
    return kept;
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template index_t accept_pivots<T>(Factorization, const PivotRule&, index_t, FactoredPanel<T>&, FailedColumns<T>&, \
                                      PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
