// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

/// The segments of a vector in a front that several ranks share. Each is changed by its owner, in the order in which
/// one rank would change it, and read where it is needed in between. All ranks of the front say who reads and who
/// changes what, in one order: so they know alike which rank has what, and a message is found where one is needed.
/// At first, and after gather(), the leading rank has all segments.
class SegmentMoves {
public:
    /// number: of the message, among all in the front.
    using Move = std::function<void(index_t segment, index_t from, index_t to, count_t number)>;

    SegmentMoves(index_t segments, index_t ranks, index_t leader);

    /// Called before a task of the rank that reads a segment, or changes it.
    void read(index_t segment, index_t rank, const Move& move);
    void change(index_t segment, index_t rank, const Move& move);
    /// Moves all segments to the leading rank.
    void gather(const Move& move);

    count_t messages() const { return messages_; }
    /// The number of another message between ranks of the front.
    count_t take_number() { return messages_++; }

private:
    std::uint8_t& has(index_t segment, index_t rank) {
        return has_[static_cast<std::size_t>(segment) * static_cast<std::size_t>(ranks_) +
                    static_cast<std::size_t>(rank)];
    }

    index_t ranks_, leader_;
    std::vector<index_t> last_;  // [segments] the rank that changed it last
    std::vector<std::uint8_t> has_;  // [segments * ranks]
    count_t messages_ = 0;
};

}  // namespace frond::detail
