// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "frond/codelets/simulated_cluster.hpp"
#include "frond/codelets/simulated_time.hpp"

namespace frond::detail {

/// What passes between simulated ranks. A message leaves when both ends are ready: the sender announces it, the receiver
/// answers (a latency each), then the bytes pass the link of the one and that of the other (bytes over bandwidth and a
/// latency). A link has one message at a time in each direction, in the order in which they could leave; so has the thread
/// of each rank that sends and receives. A message that finds the receiver's link busy waits there, and the sender's link
/// goes on with others.
class Traffic {
public:
    using Act = SimulatedTime::Act;
    Traffic(SimulatedTime& time, const SimulatedCluster& cluster);

    /// One end of a message; the other has the same source, destination and tag. ended(path_seconds): at this end, with the
    /// longest chain of what the message waited for.
    struct End {
        std::int64_t bytes = 0;
        double path_seconds = 0;
        std::function<void(double path_seconds)> ended;
    };
    using Name = std::tuple<index_t, index_t, std::int64_t>;  // source, destination, tag
    void send(const Name& name, End end) { meet(name, std::move(end), true); }
    void receive(const Name& name, End end) { meet(name, std::move(end), false); }

    /// Bytes that the receiver waits for, without announcement: arrived() when they are there.
    void pass(index_t source, index_t destination, double bytes, Act arrived);

    /// The seconds of a message alone on its links, from when both ends are ready.
    double message_seconds(double bytes) const noexcept;

private:
    struct Rank {
        double link_out = 0, link_in = 0, thread = 0;  // when they are free
    };
    struct Waiting {
        std::deque<End> sends, receives;
    };
    void meet(const Name& name, End end, bool sends);
    void leave(const Name& name, End sent, End received);
    /// The thread of a rank is busy from `seconds` on at the earliest: until when.
    double by_thread(index_t rank, double seconds);
    /// When bytes that can leave at `seconds` are through both links.
    double by_links(index_t source, index_t destination, double seconds, double bytes);

    SimulatedTime& time_;
    SimulatedNetwork network_;
    std::vector<Rank> ranks_;
    std::map<Name, Waiting> waiting_;
};

}  // namespace frond::detail
