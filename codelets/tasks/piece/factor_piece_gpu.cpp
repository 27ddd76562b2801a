// SPDX-License-Identifier: BSD-3-Clause
// A piece of a tree by its recorded graph, wherever StarPU has put values, factors and contribution blocks.
#include "factor_piece.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "worker/copies.hpp"

namespace frond::gpu {

/// It returns when the device is done: StarPU would end the process where a kernel fails after that.
template <class T>
void factor_piece(void* buffers[], void* raw) noexcept {
    run_task<FactorPieceArguments>(raw, [&](FactorPieceArguments& a) {
        PieceRun<T> piece{static_cast<const TreeRun<T>*>(a.run), a.piece, nullptr, {}, {}};
        int buffer = 0;
        for (const KeptRange& kept : a.parts->kept)
            piece.kept.push_back({kept.to, kept.first, kept.bytes, vector_buffer<unsigned char>(buffers, buffer++)});
        for (const PartNumber number : a.parts->on_host)
            piece.parts.push_back({number, vector_buffer<unsigned char>(buffers, buffer++)});
        piece.values = vector_buffer<T>(buffers, buffer++);
        for (const PartNumber number : a.parts->on_device)
            piece.parts.push_back({number, vector_buffer<unsigned char>(buffers, buffer++)});
        static_cast<ResidentFactorization<T>*>(a.tree)->run(piece);
    });
}

#define FROND_INSTANTIATE(T) template void factor_piece<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

/// Its buffers are there when it begins.
void bring_piece(void*[], void* raw) noexcept {
    run_task<TaskArguments>(raw, [](TaskArguments&) {});
}

void store_part(void* buffers[], void* raw) noexcept {
    run_task<TaskArguments>(raw, [&](TaskArguments&) {
        const auto& part = *static_cast<const starpu_vector_interface*>(buffers[0]);
        fetch(vector_buffer<unsigned char>(buffers, 1), vector_buffer<unsigned char>(buffers, 0),
              part.nx * part.elemsize, "storing factors on the host");
        drain();
    });
}

}  // namespace frond::gpu
