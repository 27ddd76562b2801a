// SPDX-License-Identifier: BSD-3-Clause
#include "add_products.hpp"

#include "frond/base/instantiate.hpp"
#include "kernels/substitution/segments.hpp"
#include "worker/drain.hpp"

namespace frond::gpu {

template <class T>
void add_products(void* buffers[], void* raw) noexcept {
    run_task<AddProductsArguments>(raw, [&](const AddProductsArguments& a) {
        const DrainAtExit drained;
        const Stream stream = task_stream();
        for_each_product<T>(buffers, a.segments, [&](DenseView<const T> product, DenseView<T> segment) {
            add_block(stream, product, segment);
        });
        drain();
    });
}

#define FROND_INSTANTIATE(T) template void add_products<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
