// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

/// A part of the factors: one handle.
struct FactorPart {
    count_t bytes = 0;  // a multiple of 256
    std::vector<index_t> pieces;  // whose tasks write it, ascending
};

/// Hands out addresses relative to parts that grow as they are filled, so that their sizes become known.
class FactorRoom {
public:
    /// The largest part with several blocks. Many handles take long to acquire, and StarPU counts in 32 bits.
    static constexpr count_t most_part_bytes = count_t{1} << 30;

    /// first_number: of the first part. most_bytes: of a part with several blocks.
    explicit FactorRoom(gpu::PartNumber first_number, count_t most_bytes = most_part_bytes)
        : first_number_(first_number), most_bytes_(most_bytes) {}

    static constexpr count_t aligned(count_t bytes) { return (bytes + 255) / 256 * 256; }

    /// Memory in a part that these pieces write, and no other piece.
    void* take(const std::vector<index_t>& pieces, count_t bytes) {
        const count_t needed = aligned(bytes);
        const auto [open, is_new] = open_.try_emplace(pieces, parts_.size());
        if (is_new || parts_[open->second].bytes + needed > most_bytes_) {
            open->second = parts_.size();
            parts_.push_back({0, pieces});
        }
        FactorPart& part = parts_[open->second];
        const gpu::PartNumber number{static_cast<index_t>(first_number_) + static_cast<index_t>(open->second)};
        return gpu::relative_beginning(number) + std::exchange(part.bytes, part.bytes + needed);
    }

    std::vector<FactorPart> parts() && { return std::move(parts_); }

private:
    gpu::PartNumber first_number_;
    count_t most_bytes_;
    std::vector<FactorPart> parts_;
    std::map<std::vector<index_t>, std::size_t> open_;  // the last part of those pieces
};

}  // namespace frond::detail
