// SPDX-License-Identifier: BSD-3-Clause
#include "../permute_rows.hpp"
#include "eliminate_leftover.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::cpu {
namespace {

template<class T>
std::vector<index_t> factor_symmetric(bool hermitian, DenseView<T> a, index_t r,
                                      const PivotRule& rule, Leftover<T>& leftover,
                                      PivotReport& report, MemoryAccount* account) {
    const index_t f = a.cols;
    const count_t scratch = factor_leftover_ldlt_workspace(f, r);
    const TakenBytes bytes(account, bytes_of<T>(scratch));
    HostVector<T> workspace(at(scratch));
    std::vector<index_t> perm(at(f));
    leftover.pivots = counted_vector<T>(2 * static_cast<count_t>(f), account);
    leftover.kept = factor_leftover_ldlt<T>(a, hermitian, rule, leftover.pivots.data(), perm.data(),
                                            workspace.data(), report)
                        .kept;
    return perm;
}

} // namespace

template<class T>
void eliminate_symmetric(bool hermitian, LeftoverColumns<T>& columns, const PivotRule& rule,
                         Leftover<T>& leftover, DelayedColumns<T>& delayed, PivotReport& report,
                         MemoryAccount* account) {
    const index_t f = columns.cols(), r = columns.ncb;
    const DenseView<T> a = packed_view(columns.a, f + r, f);
    const std::vector<index_t> perm =
        factor_symmetric(hermitian, a, r, rule, leftover, report, account);
    const index_t kept = leftover.kept;
    leftover.pivots =
        leading_part(std::move(leftover.pivots), 2 * static_cast<count_t>(kept), account);
    leftover.row_slot = leftover.column_slot = permuted(columns.column_slot, perm);
    if (!leftover.own_rows.empty())
        gather_rows(perm.data(), packed_view(leftover.own_rows, f, leftover.npiv));
    delayed.column_slot.assign(leftover.column_slot.begin() + kept, leftover.column_slot.end());
    delayed.row_slot = delayed.column_slot;
    delayed.columns =
        packed_or_all<T>(account, a.block(kept, kept, f - kept + r, f - kept), columns.a);
    leftover.panel =
        leading_part(std::move(columns.a), static_cast<count_t>(f + r) * kept, account);
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void eliminate_symmetric<T>(bool, LeftoverColumns<T>&, const PivotRule&,              \
                                         Leftover<T>&, DelayedColumns<T>&, PivotReport&,           \
                                         MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu
