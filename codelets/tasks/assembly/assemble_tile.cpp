// SPDX-License-Identifier: BSD-3-Clause
#include "assemble_tile.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

template <class T>
void add_entries(const AssembleArguments& a, const T* value, DenseView<T> tile) {
    const TileAssembly& plan = *a.assembly;
    for (const count_t e : plan.entries) {
        const auto s = static_cast<std::size_t>(e);
        tile(a.map->row[s] - plan.row_begin, a.map->column[s] - plan.column_begin) += value[e - a.first_entry];
    }
}

template <class T>
void assemble_cpu(void* buffers[], void* raw) noexcept {
    run_task<AssembleArguments>(raw, [&](const AssembleArguments& a) {
        const auto tile = matrix_buffer<T>(buffers, 0);
        if (a.clear) {
            for (index_t j = 0; j < tile.cols; ++j) std::fill_n(&tile(0, j), tile.rows, T(0));
            add_entries<T>(a, vector_buffer<T>(buffers, assembled_entries), tile);
        }
        for (index_t p = a.first_piece; p < a.last_piece; ++p)
            cpu::extend_add_piece<T>(a.assembly->pieces[static_cast<std::size_t>(p)],
                                     as_const(matrix_buffer<T>(buffers, first_assembled_piece + p - a.first_piece)),
                                     a.assembly->row_begin, a.assembly->column_begin, a.assembly->lower, tile);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(assemble_tile_codelet, "assemble_tile", 0x8DA0CB, TaskModel::Work::bytes, relative_speed<T>,
                      assemble_cpu<T>, gpu::assemble_tile<T>, DeviceRun::until_done, assembled_entries)

}  // namespace frond
