// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/failed_columns.hpp"

namespace frond::cpu {

/// The two kinds of accept_pivots; return the number of pivots kept, count nothing but the largest |l_ij|.
template <class T>
index_t accept_symmetric_pivots(bool hermitian, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                                FailedColumns<T>& failed, double& largest_l);
template <class T>
index_t accept_lu_pivots(const PivotRule& rule, index_t limit, FactoredPanel<T>& panel, FailedColumns<T>& failed,
                         double& largest_l);

}  // namespace frond::cpu
