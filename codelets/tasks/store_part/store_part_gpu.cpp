// SPDX-License-Identifier: BSD-3-Clause
#include "store_part.hpp"

#include "worker/copies.hpp"
#include "worker/drain.hpp"

namespace frond::gpu {

void store_part(void* buffers[], void* raw) noexcept {
    run_task<TaskArguments>(raw, [&](TaskArguments&) {
        const auto& part = *static_cast<const starpu_vector_interface*>(buffers[0]);
        fetch(vector_buffer<unsigned char>(buffers, 1), vector_buffer<unsigned char>(buffers, 0),
              part.nx * part.elemsize, "storing factors on the host");
        drain();
    });
}

}  // namespace frond::gpu
