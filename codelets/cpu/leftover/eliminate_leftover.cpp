// SPDX-License-Identifier: BSD-3-Clause
// The second pass on the columns that a front could not eliminate, and what it hands on (Duff &
// Reid 1983, section 3: delayed pivots).
#include "eliminate_leftover.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::cpu {

template <class T>
void eliminate_leftover(Factorization kind, bool at_root, LeftoverColumns<T>&& columns, const PivotRule& rule,
                        Leftover<T>& leftover, DelayedColumns<T>& delayed, PivotReport& report,
                        MemoryAccount* account) {
    FROND_EXPECTS(columns.rows() >= columns.cols(), "a null column takes no row");
    leftover.ncb = delayed.ncb = columns.ncb;
    leftover.null_columns = leftover.null_rows = 0;
    delayed = DelayedColumns<T>{};
    delayed.ncb = columns.ncb;
    if (kind == Factorization::lu)
        eliminate_unsymmetric(at_root, columns, rule, leftover, delayed, report, account);
    else
        eliminate_symmetric(kind == Factorization::ldlh, columns, rule, leftover, delayed, report, account);
    report.delayed += delayed.cols();
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void eliminate_leftover<T>(Factorization, bool, LeftoverColumns<T>&&, const PivotRule&, Leftover<T>&, \
                                        DelayedColumns<T>&, PivotReport&, MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
