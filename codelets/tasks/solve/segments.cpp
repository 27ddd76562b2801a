// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

#include <algorithm>

namespace frond {
namespace {

template <class T>
void multiply_segments_cpu(void* buffers[], void* raw) noexcept {
    run_task<MultiplyArguments>(raw, [&](const MultiplyArguments& a) {
        T* next = vector_buffer<T>(buffers, 0);
        const auto source = as_const(matrix_buffer<T>(buffers, 1));
        for (index_t n = 0; n < a.tiles; ++n) {
            const auto tile = as_const(matrix_buffer<T>(buffers, 2 + n));
            cpu::negated_product(tile, a.operation, source, take_product(next, tile, a.operation, source.cols));
        }
    });
}

}  // namespace

FROND_DEFINE_CODELETS_OF_PLACES(multiply_segments_codelet, "multiply_segments", 0x81B29A, multiply_segments_cpu,
                                gpu::multiply_segments)

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

namespace {

template <class T>
void update_segments_cpu(void* buffers[], void* raw) noexcept {
    run_task<UpdateSegmentsArguments>(raw, [&](const UpdateSegmentsArguments& a) {
        std::vector<T> memory;
        for (const SegmentProduct& p : *a.products) {
            const auto target = matrix_buffer<T>(buffers, p.target);
            memory.resize(std::max(memory.size(), static_cast<std::size_t>(target.rows) * target.cols));
            const DenseView<T> product{memory.data(), target.rows, target.cols, std::max<index_t>(1, target.rows)};
            cpu::negated_product(as_const(matrix_buffer<T>(buffers, p.tile)), p.operation,
                                 as_const(matrix_buffer<T>(buffers, p.source)), product);
            cpu::add_to(as_const(product), target);
        }
    });
}

}  // namespace

FROND_DEFINE_CODELETS_OF_PLACES(update_segments_codelet, "update_segments", 0x81B29A, update_segments_cpu,
                                gpu::update_segments)

}  // namespace frond
