// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/dense_view.hpp"
#include "queue.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace frond::gpu {

/// Copies between pageable memory of the host and a device. Each piece crosses the link from, or to, pinned memory, while
/// cores copy the next one: the vendor's copies of pageable memory use one core, which is a fifth of the link's rate.
/// Not for two threads at a time. @throws DeviceError
class StagedCopies {
public:
    /// Bytes [begin, begin + bytes) of what is copied, and their place in pinned memory.
    using CopyPart = std::function<void(count_t begin, count_t bytes, unsigned char* pinned)>;

    /// All pinned memory at once; else what is copied first asks for it.
    void reserve();
    /// device[0 .. bytes) := what read() puts into pinned memory, part by part. The last pieces may still be under way
    /// on the stream when this returns; read() is not called any more.
    void send(Stream stream, void* device, count_t bytes, const ParallelFor& parallel_for, const CopyPart& read);
    /// write() gets device[0 .. bytes), part by part, as the stream has it. Returns when all is written.
    void fetch(Stream stream, const void* device, count_t bytes, const ParallelFor& parallel_for,
               const CopyPart& write);

private:
    /// A little is copied sooner by one thread than by tasks of cores, which come and go in some 30 us.
    static constexpr count_t piece_bytes = count_t{1} << 22, part_bytes = count_t{1} << 18,
                             little_bytes = 2 * part_bytes;
    static constexpr std::size_t slots = 4;

    /// Room for one piece, and when its last copy has ended.
    struct Slot {
        std::unique_ptr<PinnedMemory<unsigned char>> memory;
        Event copied;
        bool is_used = false;
    };
    Slot& slot(count_t piece);
    static void wait_for(Slot& slot);
    static void copy_piece(count_t begin, count_t bytes, unsigned char* pinned, const ParallelFor& parallel_for,
                           const CopyPart& copy);

    std::array<std::unique_ptr<Slot>, slots> slots_;
};

/// visit(place, bytes) for what bytes [begin, begin + bytes) of the columns of v, one behind the other, are in v.
template <class T, class Visit>
void for_columns(DenseView<T> v, count_t begin, count_t bytes, Visit visit) {
    constexpr count_t size = static_cast<count_t>(sizeof(T));
    for (count_t e = begin / size, end = (begin + bytes) / size; e < end;) {
        const count_t column = e / v.rows, row = e % v.rows, count = std::min(end - e, v.rows - row);
        visit(v.data + row + column * v.ld, static_cast<std::size_t>(count * size));
        e += count;
    }
}

template <class T>
count_t bytes_of_columns(DenseView<T> v) {
    return static_cast<count_t>(v.rows) * v.cols * static_cast<count_t>(sizeof(T));
}

/// device [rows, cols], leading dimension rows := v. See StagedCopies::send.
template <class T>
void send_columns(StagedCopies& staged, Stream stream, DenseView<const T> v, void* device,
                  const ParallelFor& parallel_for) {
    staged.send(stream, device, bytes_of_columns(v), parallel_for,
                [v](count_t begin, count_t bytes, unsigned char* pinned) {
                    for_columns(v, begin, bytes, [&pinned](const T* rows, std::size_t size) {
                        std::memcpy(pinned, rows, size);
                        pinned += size;
                    });
                });
}

/// v := device [rows, cols], leading dimension rows. See StagedCopies::fetch.
template <class T>
void fetch_columns(StagedCopies& staged, Stream stream, const void* device, DenseView<T> v,
                   const ParallelFor& parallel_for) {
    staged.fetch(stream, device, bytes_of_columns(v), parallel_for,
                 [v](count_t begin, count_t bytes, const unsigned char* pinned) {
                     for_columns(v, begin, bytes, [&pinned](T* rows, std::size_t size) {
                         std::memcpy(rows, pinned, size);
                         pinned += size;
                     });
                 });
}

/// Rows of blocks in the host's memory, one below the other, as columns of the device, one behind the other.
template <class T>
class StackedRows {
public:
    /// What is behind the blocks, up to so many rows, is of no concern.
    StackedRows(const std::vector<DenseView<T>>& blocks, count_t rows) : blocks_(blocks), rows_(rows) {
        for (const DenseView<T>& block : blocks_) begin_.push_back(begin_.back() + block.rows);
    }

    void add(const std::vector<DenseView<T>>& blocks) {
        for (const DenseView<T>& block : blocks) {
            blocks_.push_back(block);
            begin_.push_back(begin_.back() + block.rows);
        }
    }

    /// device [rows, cols] := them, 0 behind. See StagedCopies::send.
    void send(StagedCopies& staged, Stream stream, void* device, index_t cols, const ParallelFor& parallel_for) const {
        staged.send(stream, device, bytes(cols), parallel_for,
                    [this](count_t begin, count_t size, unsigned char* pinned) {
                        visit(begin, size, [&pinned](const T* rows, std::size_t part) {
                            rows != nullptr ? std::memcpy(pinned, rows, part) : std::memset(pinned, 0, part);
                            pinned += part;
                        });
                    });
    }

    /// The other way round. See StagedCopies::fetch.
    void fetch(StagedCopies& staged, Stream stream, const void* device, index_t cols,
               const ParallelFor& parallel_for) const {
        staged.fetch(stream, device, bytes(cols), parallel_for,
                     [this](count_t begin, count_t size, const unsigned char* pinned) {
                         visit(begin, size, [&pinned](T* rows, std::size_t part) {
                             if (rows != nullptr) std::memcpy(rows, pinned, part);
                             pinned += part;
                         });
                     });
    }

private:
    count_t bytes(index_t cols) const { return rows_ * cols * static_cast<count_t>(sizeof(T)); }

    /// visit(place, bytes) for what bytes [begin, begin + size) of the columns are; null: behind the blocks.
    template <class Visit>
    void visit(count_t begin, count_t size, Visit visit) const {
        constexpr count_t of_scalar = static_cast<count_t>(sizeof(T));
        for (count_t e = begin / of_scalar, end = (begin + size) / of_scalar; e < end;) {
            const count_t column = e / rows_, row = e % rows_;
            const auto next = std::upper_bound(begin_.begin(), begin_.end(), row);
            const count_t last = next == begin_.end() ? rows_ : *next, count = std::min(end - e, last - row);
            T* place = nullptr;
            if (next != begin_.end()) {
                const DenseView<T>& block = blocks_[at(next - begin_.begin()) - 1];
                place = block.column(static_cast<index_t>(column)) + (row - *(next - 1));
            }
            visit(place, static_cast<std::size_t>(count * of_scalar));
            e += count;
        }
    }

    std::vector<DenseView<T>> blocks_;
    std::vector<count_t> begin_{0};
    count_t rows_;
};

}  // namespace frond::gpu
