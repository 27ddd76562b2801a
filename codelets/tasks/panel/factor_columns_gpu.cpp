// SPDX-License-Identifier: BSD-3-Clause
#include "factor_columns.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/gpu/resident_factorization.hpp"

namespace frond::gpu {

/// It returns when the device is done, as pieces do.
template <class T>
void factor_columns(void* buffers[], void* raw) noexcept {
    run_task<FactorColumnsArguments>(raw, [&](FactorColumnsArguments& a) {
        ColumnsRun run;
        run.front = a.front;
        run.device = a.device;
        run.step = a.step;
        int buffer = 0;
        for (index_t b = 0; b < a.block_count; ++b) {
            const ColumnsRun::Block block{a.blocks[b], vector_buffer<unsigned char>(buffers, buffer++)};
            (b < a.panels ? run.panel : run.blocks).push_back(block);
        }
        for (index_t p = 0; p < a.part_count; ++p)
            run.parts.push_back({a.parts[p], vector_buffer<unsigned char>(buffers, buffer++)});
        static_cast<ResidentFactorization<T>*>(a.tree)->run(run);
    });
}

#define FROND_INSTANTIATE(T) template void factor_columns<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
