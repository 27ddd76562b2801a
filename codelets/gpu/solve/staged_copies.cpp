// SPDX-License-Identifier: BSD-3-Clause
#include "solve/staged_copies.hpp"

#include <algorithm>

#include "check.hpp"

namespace frond::gpu {

/// Made when the first piece needs it.
StagedCopies::Slot& StagedCopies::slot(count_t piece) {
    std::unique_ptr<Slot>& s = slots_[static_cast<std::size_t>(piece) % slots];
    if (s == nullptr) {
        auto made = std::make_unique<Slot>();
        made->memory = std::make_unique<PinnedMemory<unsigned char>>(piece_bytes);
        s = std::move(made);
    }
    return *s;
}

void StagedCopies::reserve() {
    for (std::size_t s = 0; s < slots; ++s) static_cast<void>(slot(static_cast<count_t>(s)));
}

void StagedCopies::wait_for(Slot& slot) {
    if (slot.is_used) slot.copied.wait();
    slot.is_used = false;
}

void StagedCopies::copy_piece(count_t begin, count_t bytes, unsigned char* pinned, const ParallelFor& parallel_for,
                              const CopyPart& copy) {
    if (bytes <= little_bytes) return copy(begin, bytes, pinned);
    parallel_for((bytes + part_bytes - 1) / part_bytes, [&](count_t part) {
        const count_t from = part * part_bytes;
        copy(begin + from, std::min(part_bytes, bytes - from), pinned + from);
    });
}

void StagedCopies::send(Stream stream, void* device, count_t bytes, const ParallelFor& parallel_for,
                        const CopyPart& read) {
    for (count_t begin = 0; begin < bytes; begin += piece_bytes) {
        const count_t size = std::min(piece_bytes, bytes - begin);
        Slot& s = slot(begin / piece_bytes);
        wait_for(s);
        copy_piece(begin, size, s.memory->data(), parallel_for, read);
        check(FROND_GPU(MemcpyAsync)(static_cast<unsigned char*>(device) + begin, s.memory->data(),
                                     static_cast<std::size_t>(size), FROND_GPU(MemcpyHostToDevice), stream),
              "sending data of the solve");
        s.copied.record(stream);
        s.is_used = true;
    }
}

void StagedCopies::fetch(Stream stream, const void* device, count_t bytes, const ParallelFor& parallel_for,
                         const CopyPart& write) {
    const auto ask = [&](count_t begin) {
        if (begin >= bytes) return;
        Slot& s = slot(begin / piece_bytes);
        wait_for(s);
        check(FROND_GPU(MemcpyAsync)(s.memory->data(), static_cast<const unsigned char*>(device) + begin,
                                     static_cast<std::size_t>(std::min(piece_bytes, bytes - begin)),
                                     FROND_GPU(MemcpyDeviceToHost), stream),
              "fetching data of the solve");
        s.copied.record(stream);
        s.is_used = true;
    };
    constexpr count_t ahead = (static_cast<count_t>(slots) - 1) * piece_bytes;
    for (count_t begin = 0; begin < ahead; begin += piece_bytes) ask(begin);
    for (count_t begin = 0; begin < bytes; begin += piece_bytes) {
        ask(begin + ahead);
        Slot& s = slot(begin / piece_bytes);
        wait_for(s);
        copy_piece(begin, std::min(piece_bytes, bytes - begin), s.memory->data(), parallel_for, write);
    }
}

}  // namespace frond::gpu
