// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task.hpp"
#include "frond/cpu/second_pass.hpp"

namespace frond {

/// update_tile: R left, R right, RW target      target := target - left right (see cpu/kernels.hpp)
/// left = right once when they are the same tile: then the buffers are R left, RW target.
/// second_pass (last panel, contribution tile): R factors of the second pass, last; then also
/// target := target - L (D) U of the second pass (see cpu::update_contribution), mostly of no pivots.
enum class UpdateShape : std::uint8_t { general, transposed, lower };
struct UpdateArguments : TaskArguments {
    UpdateShape shape = UpdateShape::general;
    bool adjoint = false;
    bool same = false;
    bool second_pass = false;
    Factorization kind = Factorization::lu;  // from here on: of the second pass
    index_t first_row = 0, first_column = 0;  // contribution rows and columns of the target
    cpu::MemoryAccount* account = nullptr;  // of a work vector
};
template <class T>
starpu_codelet& update_tile_codelet();

/// The buffers of the task.
template <class T>
struct UpdateBuffers {
    DenseView<const T> left, right;
    DenseView<T> target;
    const cpu::SecondPass<T>* second_pass = nullptr;  // where there is one

    UpdateBuffers(const UpdateArguments& a, void* buffers[])
        : left(as_const(matrix_buffer<T>(buffers, 0))),
          right(a.same ? left : as_const(matrix_buffer<T>(buffers, 1))),
          target(matrix_buffer<T>(buffers, a.same ? 1 : 2)) {
        // Tiles of the panel backup of LDL^T are as wide as the widest panel.
        if (a.shape != UpdateShape::general) right.cols = left.cols;
        if (a.second_pass) second_pass = &object_buffer<const cpu::SecondPass<T>>(buffers, a.same ? 2 : 3);
    }
};

/// target in host memory; does nothing where the second pass kept nothing. Adds to a.flops.
template <class T>
void update_by_second_pass(UpdateArguments& a, const cpu::SecondPass<T>& second_pass, DenseView<T> target);

namespace gpu {
template <class T>
void update_tile(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
