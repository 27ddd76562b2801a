// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

/// Hands out the memory of parts of factors, always in the same order: the first time relative to parts that grow as
/// they are filled, so that their sizes become known; later in the parts that are there.
class FactorRoom {
public:
    static constexpr count_t most_bytes = count_t{1} << 30;  // of a part with several blocks

    FactorRoom() = default;
    FactorRoom(unsigned node, std::vector<unsigned char*> begin, std::vector<count_t> bytes)
        : is_there_(true), node_(node), begin_(std::move(begin)), bytes_(std::move(bytes)) {}

    static constexpr count_t aligned(count_t bytes) { return (bytes + 255) / 256 * 256; }

    unsigned node() const noexcept { return node_; }
    const std::vector<count_t>& part_bytes() const noexcept { return bytes_; }

    void* take(count_t bytes) {
        const count_t needed = aligned(bytes);
        if (part_ < 0 || used_ + needed > (is_there_ ? bytes_[static_cast<std::size_t>(part_)] : most_bytes)) {
            ++part_;
            used_ = 0;
            if (!is_there_) bytes_.push_back(0);
        }
        const auto part = static_cast<std::size_t>(part_);
        unsigned char* const start = (is_there_ ? begin_[part] : gpu::relative_beginning(part + 1)) + used_;
        used_ += needed;
        if (!is_there_) bytes_[part] = used_;
        return start;
    }

private:
    bool is_there_ = false;
    unsigned node_ = 0;
    std::vector<unsigned char*> begin_;
    std::vector<count_t> bytes_;
    index_t part_ = -1;
    count_t used_ = 0;  // of the part
};

}  // namespace frond::detail
