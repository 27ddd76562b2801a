// SPDX-License-Identifier: BSD-3-Clause
#include "update_segments.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond {
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
