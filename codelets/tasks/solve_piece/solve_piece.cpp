// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "frond/codelets/solve_tasks.hpp"

namespace frond {

template <class T>
starpu_codelet& prepare_solve_codelet() {
    static starpu_codelet codelet = make_codelet("prepare_solve", nullptr, 0x457B9D);
    return codelet;
}

template <class T>
starpu_codelet& solve_piece_codelet() {
    static starpu_codelet codelet = make_codelet("solve_piece", nullptr, 0x6A8CAF);
    return codelet;
}

#define FROND_INSTANTIATE(T)                             \
    template starpu_codelet& prepare_solve_codelet<T>(); \
    template starpu_codelet& solve_piece_codelet<T>();
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
