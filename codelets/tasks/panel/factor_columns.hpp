// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "frond/codelets/task.hpp"

namespace frond {

namespace gpu {
enum class ColumnStep : std::uint8_t;
enum class PartNumber : index_t;
}  // namespace gpu

/// Steps of a front that all devices do by blocks of columns; of devices alone.
/// gather_columns:     W blocks..., R rooms of contribution blocks..., RW order of the device's pieces (no data)
/// eliminate_columns:  R block of earlier pivots, or none, RW block
/// update_columns:     R block of earlier pivots, RW blocks...
/// join_columns:       R blocks..., W joined block      the last columns of a front, which are eliminated
/// store_columns:      R blocks..., W parts of the factors..., RW order of the device's pieces
/// fetch_pivots:       R blocks..., RW order of the device's pieces      pivots to the host
struct FactorColumnsArguments : TaskArguments {
    void* tree = nullptr;  // gpu::ResidentFactorization<T>
    index_t front = 0;  // of its shared_fronts()
    index_t device = 0;
    gpu::ColumnStep step{};
    index_t panels = 0;  // the first buffers: earlier pivots, or blocks that are joined
    const index_t* blocks = nullptr;  // numbers of the blocks, in the order of the buffers, the panels' first
    index_t block_count = 0;
    const gpu::PartNumber* parts = nullptr;  // behind them
    index_t part_count = 0;
};
template <class T>
starpu_codelet& factor_columns_codelet(gpu::ColumnStep step);

namespace gpu {
template <class T>
void factor_columns(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
