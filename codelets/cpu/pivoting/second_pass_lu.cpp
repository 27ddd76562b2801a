// SPDX-License-Identifier: BSD-3-Clause
#include "second_pass_lu.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>

namespace frond::cpu {

template <class T>
SecondPassOutcome factor_second_pass_lu(DenseView<T> a, DenseView<T> b, index_t r, const PivotRule& rule,
                                        index_t* row_perm, index_t* column_perm, T* workspace, PivotReport& report,
                                        double* null_rest) {
    SecondPassLu<T> elimination(a, b, r, rule, row_perm, column_perm, workspace, null_rest);
    const SecondPassOutcome outcome = elimination.run();
    report.largest_l = std::max(report.largest_l, elimination.largest_l());
    report.zero += outcome.null;
    count_pivots<T>(Factorization::lu, outcome.kept, a, nullptr, report);
    return outcome;
}

count_t factor_second_pass_lu_workspace(index_t m, index_t, index_t f, index_t) {
    return static_cast<count_t>(f) + std::min(m, f);
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template SecondPassOutcome factor_second_pass_lu<T>(DenseView<T>, DenseView<T>, index_t, const PivotRule&, \
                                                        index_t*, index_t*, T*, PivotReport&, double*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
