// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "event.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Queues for products behind blocks of columns, apart from the one in which the steps of the next blocks go on. Each
/// has a BLAS handle, and so a workspace, of its own. Must live as long as what was recorded with them.
class ProductQueues {
public:
    static constexpr std::size_t count = 4;

    /// Queues [first, first + size).
    struct Share {
        std::size_t first = 0, size = 0;
    };

    /// Before a recording, in which queues take part as they are used.
    void begin() {
        for (OneQueue& one : queues_) one.busy = false;
    }
    /// What comes onto these queues from now on runs after what is on the stream.
    void follow(Stream stream, Share share) {
        fork_.record(stream);
        for (std::size_t l = share.first; l < share.first + share.size; ++l) {
            fork_.let_wait(queues_[l].queue.stream());
            queues_[l].busy = true;
        }
    }
    /// To put a product on the queue, which follows a stream.
    BlasHandle use(std::size_t number) {
        queues_[number].busy = true;
        return queues_[number].queue.blas();
    }
    /// What comes onto the stream from now on runs after what is on these queues.
    void join(Stream stream, Share share) {
        for (std::size_t l = share.first; l < share.first + share.size; ++l) {
            OneQueue& one = queues_[l];
            if (!one.busy) continue;
            one.end.record(one.queue.stream());
            one.end.let_wait(stream);
            one.busy = false;
        }
    }

private:
    struct OneQueue {
        Queue queue;
        Event end;
        bool busy = false;  // with what no stream has joined yet
    };

    std::array<OneQueue, count> queues_;
    Event fork_;
};

}  // namespace frond::gpu
