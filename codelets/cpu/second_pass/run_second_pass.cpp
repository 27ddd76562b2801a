// SPDX-License-Identifier: BSD-3-Clause
// The second pass on the columns that a front could not eliminate, and what it delays (Duff &
// Reid 1983, section 3: delayed pivots).
#include "run_second_pass.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::cpu {

template <class T>
void run_second_pass(Factorization kind, bool at_root, SecondPassColumns<T>&& columns, const PivotRule& rule,
                     SecondPass<T>& second_pass, DelayedColumns<T>& delayed, PivotReport& report,
                     MemoryAccount* account) {
    FROND_EXPECTS(columns.rows() >= columns.cols(), "a null column takes no row");
    second_pass.ncb = delayed.ncb = columns.ncb;
    second_pass.null_columns = second_pass.null_rows = 0;
    delayed = DelayedColumns<T>{};
    delayed.ncb = columns.ncb;
    if (kind == Factorization::lu)
        eliminate_unsymmetric(at_root, columns, rule, second_pass, delayed, report, account);
    else
        eliminate_symmetric(kind == Factorization::ldlh, columns, rule, second_pass, delayed, report, account);
    report.delayed += delayed.cols();
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template void run_second_pass<T>(Factorization, bool, SecondPassColumns<T>&&, const PivotRule&, SecondPass<T>&, \
                                     DelayedColumns<T>&, PivotReport&, MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
