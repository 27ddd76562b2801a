// SPDX-License-Identifier: BSD-3-Clause
#include "assemble_tile.hpp"

#include <cstring>

#include "frond/base/instantiate.hpp"
#include "kernels/level_batch/assemble.hpp"
#include "worker/copies.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {
namespace {

/// What the kernels of one task read besides the tiles, packed on the host and sent in one copy:
/// offsets and values of the entries of A, then the target rows and columns of each piece.
template <class T>
class AssembleTask {
public:
    AssembleTask(const AssembleArguments& a, void** buffers)
        : a_(a), plan_(*a.assembly), buffers_(buffers), tile_(matrix_buffer<T>(buffers, 0)), stream_(task_stream()) {}

    void run() {
        send();
        if (a_.clear) {
            clear<T>(stream_, tile_);
            scatter_add<T>(stream_, entries(), on_device<count_t>(0), on_device<T>(values_at()), tile_);
        }
        std::size_t at = targets_at();
        for (index_t p = a_.first_piece; p < a_.last_piece; ++p) {
            const ChildPiece& piece = plan_.pieces[static_cast<std::size_t>(p)];
            const index_t rows = piece.row_end - piece.row_begin, cols = piece.column_end - piece.column_begin;
            const auto child =
                as_const(matrix_buffer<T>(buffers_, first_assembled_piece + p - a_.first_piece))
                    .block(piece.row_begin - piece.buffer_row, piece.column_begin - piece.buffer_column, rows, cols);
            const auto* row = on_device<index_t>(at);
            extend_add<T>(stream_, child, row, row + rows, plan_.lower, tile_);
            at += sizeof(index_t) * static_cast<std::size_t>(rows + cols);
        }
    }

private:
    count_t entries() const { return a_.clear ? static_cast<count_t>(plan_.entries.size()) : 0; }
    std::size_t values_at() const { return sizeof(count_t) * static_cast<std::size_t>(entries()); }
    /// A multiple of 8: every scalar is one of 4, 8 or 16 bytes.
    std::size_t targets_at() const {
        return (values_at() + sizeof(T) * static_cast<std::size_t>(entries()) + 7) / 8 * 8;
    }
    template <class Value>
    const Value* on_device(std::size_t at) const {
        return reinterpret_cast<const Value*>(device_ + at);
    }

    std::size_t size_bytes() const {
        std::size_t bytes = targets_at();
        for (index_t p = a_.first_piece; p < a_.last_piece; ++p) {
            const ChildPiece& piece = plan_.pieces[static_cast<std::size_t>(p)];
            bytes += sizeof(index_t) *
                     static_cast<std::size_t>(piece.row_end - piece.row_begin + piece.column_end - piece.column_begin);
        }
        return bytes;
    }

    void send() {
        WorkerContext& context = worker_context();
        const std::size_t bytes = size_bytes();
        if (bytes == 0) return;
        auto* packed = static_cast<char*>(context.pinned.at_least(bytes));
        device_ = static_cast<char*>(context.device.at_least(bytes));
        pack_entries(packed);
        pack_targets(reinterpret_cast<index_t*>(packed + targets_at()));
        gpu::send(device_, packed, bytes, "sending entries of A");
    }

    void pack_entries(char* packed) const {
        auto* offset = reinterpret_cast<count_t*>(packed);
        auto* value = reinterpret_cast<T*>(packed + values_at());
        const T* from = vector_buffer<T>(buffers_, assembled_entries);
        for (count_t k = 0; k < entries(); ++k) {
            const count_t e = plan_.entries[static_cast<std::size_t>(k)];
            const auto s = static_cast<std::size_t>(e);
            offset[k] = a_.map->row[s] - plan_.row_begin +
                        static_cast<count_t>(a_.map->column[s] - plan_.column_begin) * tile_.ld;
            value[k] = from[e - a_.first_entry];
        }
    }

    void pack_targets(index_t* to) const {
        for (index_t p = a_.first_piece; p < a_.last_piece; ++p) {
            const ChildPiece& piece = plan_.pieces[static_cast<std::size_t>(p)];
            for (index_t r = piece.row_begin; r < piece.row_end; ++r) *to++ = piece.relative_rows[r] - plan_.row_begin;
            for (index_t c = piece.column_begin; c < piece.column_end; ++c)
                *to++ = piece.relative_rows[c] - plan_.column_begin;
        }
    }

    const AssembleArguments& a_;
    const TileAssembly& plan_;
    void** buffers_;
    DenseView<T> tile_;
    Stream stream_;
    char* device_ = nullptr;
};

}  // namespace

template <class T>
void assemble_tile(void* buffers[], void* raw) noexcept {
    run_task<AssembleArguments>(raw, [&](const AssembleArguments& a) {
        const DrainAtExit drained;
        AssembleTask<T>(a, buffers).run();
        drain();
    });
}

#define FROND_INSTANTIATE(T) template void assemble_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
