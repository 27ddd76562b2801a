// SPDX-License-Identifier: BSD-3-Clause
#include "multiply_segments.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

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

}  // namespace frond
