// SPDX-License-Identifier: BSD-3-Clause
// Second pass of LDL^T. Columns are held in full (both triangles) and each knows how many pivots of
// the current block were applied to it: a candidate is brought up to date when it is looked at, the
// others by products after the block. So a column that fails costs no more than one that passes.
#include "second_pass_ldlt.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"

#include <algorithm>

namespace frond::cpu {

template <class T>
SecondPassOutcome factor_second_pass_ldlt(DenseView<T> a, bool hermitian, const PivotRule& rule, T* pivots,
                                          index_t* perm, T* workspace, PivotReport& report, double* null_rest) {
    SecondPassLdlt<T> elimination(a, hermitian && is_complex<T>, rule, pivots, perm, workspace, null_rest);
    const SecondPassOutcome outcome = elimination.run();
    report.largest_l = std::max(report.largest_l, elimination.largest_l());
    const auto kind = hermitian ? Factorization::ldlh : Factorization::ldlt;
    count_pivots<T>(kind, outcome.kept, a, pivots, report);
    return outcome;
}

count_t factor_second_pass_ldlt_workspace(index_t f, index_t r) {
    return static_cast<count_t>(f + r) * second_pass_block + 2 * static_cast<count_t>(f);
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template SecondPassOutcome factor_second_pass_ldlt<T>(DenseView<T>, bool, const PivotRule&, T*, index_t*, T*, \
                                                          PivotReport&, double*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
