// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "frond/base/vector_index.hpp"
#include "frond/cpu/dense_view.hpp"
#include "solve/staged_copies.hpp"

namespace frond::gpu {

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
