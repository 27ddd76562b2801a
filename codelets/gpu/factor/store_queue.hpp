// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "event.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// A stream on which levels of a tree are written to the host, while the next level is worked on: the fronts of a level
/// stay until that of the level after the next come to their place. Must live as long as what was recorded with it.
class StoreQueue {
public:
    Stream stream() const noexcept { return own_.stream(); }

    /// Before a recording.
    void begin() { levels_ = waited_for_ = 0; }
    /// What comes onto the queue from now on runs after what is on the stream.
    void follow(Stream stream) {
        fork_.record(stream);
        fork_.let_wait(own_.stream());
    }
    /// All of one level is on the queue.
    void end_level() { ends_[levels_++ % 2].record(own_.stream()); }
    /// What comes onto the stream from now on runs after all levels but the last `under_way`.
    void let_wait(Stream stream, std::size_t under_way) {
        if (levels_ <= waited_for_ + under_way) return;
        waited_for_ = levels_ - under_way;
        ends_[(waited_for_ - 1) % 2].let_wait(stream);
    }

private:
    OwnStream own_;
    Event fork_;
    std::array<Event, 2> ends_;  // of levels in turn
    std::size_t levels_ = 0, waited_for_ = 0;
};

}  // namespace frond::gpu
