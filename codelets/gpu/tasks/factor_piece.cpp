// SPDX-License-Identifier: BSD-3-Clause
// A tree by recorded graphs, wherever StarPU has put values and factors.
#include "drain.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "frond/gpu/tile_tasks.hpp"

namespace frond::gpu {

template <class T>
void factor_piece(void* buffers[], void* raw) noexcept {
    run_task<FactorPieceArguments>(raw, [&](FactorPieceArguments& a) {
        auto& run = *static_cast<TreeRun<T>*>(a.run);
        run.values = vector_buffer<T>(buffers, 0);
        run.parts.clear();
        for (int p = 1; p <= a.parts; ++p) run.parts.push_back(vector_buffer<unsigned char>(buffers, p));
        static_cast<ResidentFactorization<T>*>(a.tree)->launch(run);
        drain();  // StarPU would end the process where a kernel fails after the task's function has returned
    });
}

#define FROND_INSTANTIATE(T) template void factor_piece<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
