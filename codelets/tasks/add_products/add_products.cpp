// SPDX-License-Identifier: BSD-3-Clause
#include "add_products.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/products_apart.hpp"

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

template <class T>
starpu_codelet& add_products_codelet(Place place) {
    static TaskKind on_cores("add_products", 0xD9C7A3, TaskModel::Work::bytes, relative_speed<T>, add_products_cpu<T>);
    static TaskKind on_devices("add_products", 0xD9C7A3, TaskModel::Work::bytes, relative_speed<T>, nullptr,
                               gpu::add_products<T>);
    return (place == Place::device ? on_devices : on_cores).codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& add_products_codelet<T>(Place);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
