// SPDX-License-Identifier: BSD-3-Clause
#include "add_products.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond {
namespace {

template <class T>
void add_products_cpu(void* buffers[], void* raw) noexcept {
    run_task<AddProductsArguments>(raw, [&](const AddProductsArguments& a) {
        for_each_product<T>(buffers, a.segments,
                            [](DenseView<const T> product, DenseView<T> segment) { cpu::add_to(product, segment); });
    });
}

}  // namespace

FROND_DEFINE_CODELETS_OF_PLACES(add_products_codelet, "add_products", 0xD9C7A3, add_products_cpu, gpu::add_products)

}  // namespace frond
