// SPDX-License-Identifier: BSD-3-Clause
#include "settle_panel.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::cpu {

template<class T>
index_t settle_panel(Factorization kind, const PivotRule& rule, index_t limit,
                     FactoredPanel<T>& panel, PendingColumns<T>& pending, PivotReport& report) {
    const index_t kept =
        kind == Factorization::lu
            ? settle_lu_panel(rule, limit, panel, pending, report.largest_l)
            : settle_symmetric_panel(kind == Factorization::ldlh, rule, limit, panel, pending,
                                     report.largest_l);
    count_pivots<T>(kind, kept, panel.diagonal, panel.pivots, report);
    return kept;
}

#define FROND_INSTANTIATE(T)                                                                       \
    template index_t settle_panel<T>(Factorization, const PivotRule&, index_t, FactoredPanel<T>&,  \
                                     PendingColumns<T>&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu
