// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "event.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// A stream on which levels of a tree, and strips of a front, are written to the host, while the next one is worked on:
/// the fronts of a level stay until those of the level after the next take their memory. Strips are gathered there,
/// too, while the one before them runs. Must live as long as what was recorded with it.
class StoreQueue {
public:
    Stream stream() const noexcept { return own_.stream(); }

    /// Begins a recording.
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

    /// Strip `number` is there when what is on the queue is done.
    void end_strip(index_t number) { strips_[static_cast<std::size_t>(number) % 2].record(own_.stream()); }
    void let_wait_for_strip(Stream stream, index_t number) {
        strips_[static_cast<std::size_t>(number) % 2].let_wait(stream);
    }

private:
    OwnStream own_{OwnStream::Urgency::urgent};  // its few blocks of threads come in between those of products
    Event fork_;
    std::array<Event, 2> ends_, strips_;  // of levels and of strips in turn
    std::size_t levels_ = 0, waited_for_ = 0;
};

}  // namespace frond::gpu
