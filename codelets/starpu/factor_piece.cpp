// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"

namespace frond {

template <class T>
starpu_codelet& factor_piece_codelet() {
    static starpu_codelet codelet = make_codelet("factor_piece", nullptr, 0x1D3557);
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_piece_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
