// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/blas_threads.hpp"

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int);
}

namespace frond::detail {

int set_blas_threads(int threads) noexcept {
    const int before = openblas_get_num_threads();
    if (threads != before && threads > 0) openblas_set_num_threads(threads);
    return before;
}

}  // namespace frond::detail
