// SPDX-License-Identifier: BSD-3-Clause
#include "factor/block_copies.hpp"

#include <cstring>
#include <utility>

#include "check.hpp"
#include "factor/changed_pieces.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

std::vector<char> failed_pieces(std::span<const EliminateAnswer> answers) {
    std::vector<char> failed;
    for (const EliminateAnswer& answer : answers) failed.push_back(answer.failed != 0 ? 1 : 0);
    return failed;
}

}  // namespace

void BlockCopies::begin(count_t most_bytes, HostHeap* heap) {
    front_in_room_.clear();
    copies_.clear();
    left_bytes_ = heap != nullptr ? most_bytes : 0;
    heap_ = heap;
}

template <class T>
void BlockCopies::before(const SavedBlocks& saved, const PieceRun<T>& piece, std::span<const EliminateAnswer> answers,
                         Stream stream) {
    const ChangedPieces changed(saved.blocks(), failed_pieces(answers));
    const std::vector<char>& kept = piece.run->is_kept;
    for (const SavedBlock& block : saved.blocks()) {
        const bool is_given = block.used == piece.piece && !kept.empty() && kept[at(block.made)] != 0;
        if (block.made != piece.piece && !is_given) continue;
        const index_t there =
            std::exchange(front_in_room_.try_emplace(block.room, -1).first->second, is_given ? -1 : block.front);
        if (there < 0 || !changed.need(*saved.of(there))) continue;
        const PartNumber room = part_of(RoomNumber{block.room});
        for (const PlacedPart& part : piece.parts)
            if (part.number == room)
                put(there, part.begin, saved.of(there)->scalars * static_cast<count_t>(sizeof(T)),
                    piece.run->is_on_host[room] != 0, stream);
    }
}

void BlockCopies::put(index_t front, const unsigned char* block, count_t bytes, bool on_host, Stream stream) {
    if (bytes > left_bytes_) return;
    try {
        std::erase_if(copies_, [front](const Copy& one) { return one.front == front; });
        const HostBlock& to = copies_.emplace_back(Copy{front, HostBlock(bytes, *heap_)}).block;
        left_bytes_ -= bytes;
        if (on_host)
            std::memcpy(to.data(), block, at(bytes));
        else
            check(FROND_GPU(MemcpyAsync)(to.data(), block, at(bytes), FROND_GPU(MemcpyDeviceToHost), stream),
                  "copying a contribution block to the host");
    } catch (const OutOfMemory&) {  // its piece is factored again
        left_bytes_ = 0;
    }
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template void BlockCopies::before<T>(const SavedBlocks&, const PieceRun<T>&, std::span<const EliminateAnswer>, \
                                         Stream);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
