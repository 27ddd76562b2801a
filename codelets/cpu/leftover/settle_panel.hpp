// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/failed_columns.hpp"

namespace frond::cpu {

/// The two kinds of settle_panel; return the number of pivots kept, count nothing but the largest |l_ij|.
template <class T>
index_t settle_symmetric_panel(bool hermitian, const PivotRule& rule, index_t limit, FactoredPanel<T>& panel,
                               FailedColumns<T>& pending, double& largest_l);
template <class T>
index_t settle_lu_panel(const PivotRule& rule, index_t limit, FactoredPanel<T>& panel, FailedColumns<T>& pending,
                        double& largest_l);

}  // namespace frond::cpu
