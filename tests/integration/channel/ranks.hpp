// SPDX-License-Identifier: BSD-3-Clause
// What the cases of this program share: each of them runs on all ranks that mpirun started.
#pragma once

#include "frond/codelets/job.hpp"
#include "mpi/channel/start_channel.hpp"
#include "session/session_state.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <thread>

namespace frond::test {

/// MPI_COMM_WORLD and the half of it with this rank (those of odd or of even number), for start_channel.
void* world();
void* half_of_world();
int world_rank();
int world_size();
/// Called by all ranks, like the next two.
void wait_for_all_ranks();
count_t sum_over_ranks(count_t value);
bool on_any_rank(bool here);

/// StarPU with one worker, which main() keeps until the end.
std::shared_ptr<detail::SessionState> shared_starpu();

/// A channel with its workers awake. Nothing may be left at its end.
struct Door {
    explicit Door(void* communicator = world()) : channel(detail::start_channel(communicator)) {}
    ~Door() { CHECK(channel->pending() == 0); }

    std::shared_ptr<detail::SessionState> starpu = shared_starpu();
    detail::JobGuard guard{*starpu};
    std::unique_ptr<detail::Channel> channel;
};

/// Counts the ends of messages, also for a job.
struct Ends {
    std::atomic<count_t> done{0}, stopped{0}, unreadable{0};

    count_t all() const { return done + stopped + unreadable; }
    detail::AfterMessage after() {
        return {[](void* raw, detail::MessageEnd end) noexcept {
                    auto& ends = *static_cast<Ends*>(raw);
                    (end == detail::MessageEnd::done             ? ends.done
                     : end == detail::MessageEnd::sender_stopped ? ends.stopped
                                                                 : ends.unreadable)
                        .fetch_add(1);
                },
                this};
    }
    void wait_for(count_t count) const {
        while (all() < count) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
};

inline MessageTag tag(std::int64_t index) { return {0, 0, 0, 0, index}; }

}  // namespace frond::test
