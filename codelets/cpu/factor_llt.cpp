// SPDX-License-Identifier: BSD-3-Clause
#include "factor_llt_impl.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::cpu {

template <class T>
void factor_llt(DenseView<T> a, PivotReport& report) {
    factor_llt_panel(a, report);
}

#define FROND_INSTANTIATE(T) template void factor_llt<T>(DenseView<T>, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
