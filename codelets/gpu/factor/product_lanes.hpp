// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "event.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Queues for products behind blocks of columns, beside the one in which the steps of the next blocks go on. Each has
/// a BLAS handle, and so a workspace, of its own. Must live as long as what was recorded with them.
class ProductLanes {
public:
    static constexpr std::size_t count = 4;

    /// Lanes [first, first + size).
    struct Share {
        std::size_t first = 0, size = 0;
    };

    /// Before a recording, in which lanes take part as they are used.
    void begin() {
        for (Lane& lane : lanes_) lane.busy = false;
    }
    /// What comes onto these lanes from now on runs after what is on the stream.
    void follow(Stream stream, Share share) {
        fork_.record(stream);
        for (std::size_t l = share.first; l < share.first + share.size; ++l) {
            fork_.let_wait(lanes_[l].queue.stream());
            lanes_[l].busy = true;
        }
    }
    /// To put a product on the lane, which follows a stream.
    BlasHandle use(std::size_t lane) {
        lanes_[lane].busy = true;
        return lanes_[lane].queue.blas();
    }
    /// What comes onto the stream from now on runs after what is on these lanes.
    void join(Stream stream, Share share) {
        for (std::size_t l = share.first; l < share.first + share.size; ++l) {
            Lane& lane = lanes_[l];
            if (!lane.busy) continue;
            lane.end.record(lane.queue.stream());
            lane.end.let_wait(stream);
            lane.busy = false;
        }
    }

private:
    struct Lane {
        Queue queue;
        Event end;
        bool busy = false;  // with what no stream has joined yet
    };

    std::array<Lane, count> lanes_;
    Event fork_;
};

}  // namespace frond::gpu
