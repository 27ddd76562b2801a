// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/codelets/task.hpp"

#include <vector>

namespace frond {

namespace gpu {
enum class PartNumber : index_t;
}  // namespace gpu

/// What a piece without a task left, as bytes of a part that another piece uses.
struct KeptRange {
    gpu::PartNumber to{};
    count_t first = 0, bytes = 0;  // in the part
};

/// Numbers of the parts that a piece uses, in the order of its task's buffers. kept: to be put into some of them before.
struct PieceParts {
    std::vector<gpu::PartNumber> on_host, on_device;
    std::vector<KeptRange> kept;
};

/// factor_piece: R kept..., parts on the host..., R values of A, parts on the device..., RW order of the device's pieces (no data)
///      the fronts of a piece by a recorded graph
/// Parts are W parts of the factors, R contribution blocks of other pieces, W blocks for other pieces. Only devices run
/// it. tree, run, parts: the plan with its recorded graphs, and what is the same for all pieces. The graphs have work
/// memory and pivots of their own on the device, which the order of the device's pieces protects.
struct FactorPieceArguments : TaskArguments {
    void* tree = nullptr;  // gpu::ResidentFactorization<T>
    const void* run = nullptr;  // gpu::TreeRun<T>
    index_t piece = 0;
    const PieceParts* parts = nullptr;
};
/// on_host: buffers in front that are read and written in the host's memory, kept ones too; others: behind them. Any
/// thread.
template <class T>
starpu_codelet& factor_piece_codelet(std::size_t on_host, std::size_t others);

namespace gpu {
template <class T>
void factor_piece(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

/// bring_piece, of devices alone: R parts...      parts that StarPU brings to the device, while that works
starpu_codelet& bring_piece_codelet();

namespace gpu {
void bring_piece(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

/// store_part, of devices alone: R part of the factors on the device, W part of the same size in pinned memory of the host
///      the second := the first
starpu_codelet& store_part_codelet();

namespace gpu {
void store_part(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond
