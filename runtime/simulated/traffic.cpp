// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/traffic.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/vector_index.hpp"

namespace frond::detail {

Traffic::Traffic(SimulatedTime& time, const SimulatedCluster& cluster)
    : time_(time), network_(cluster.network), ranks_(at(cluster.ranks)) {}

double Traffic::message_seconds(double bytes) const noexcept {
    return 2 * network_.message_seconds + 3 * network_.latency_seconds + bytes / network_.bytes_per_second;
}

double Traffic::by_thread(index_t rank, double seconds) {
    double& free = ranks_[at(rank)].thread;
    return free = std::max(free, seconds) + network_.message_seconds;
}

double Traffic::by_links(index_t source, index_t destination, double seconds, double bytes) {
    double &out = ranks_[at(source)].link_out, &in = ranks_[at(destination)].link_in;
    const double begin = std::max(seconds, out), through = bytes / network_.bytes_per_second;
    out = begin + through;
    return in = std::max(begin, in) + through;
}

void Traffic::meet(const Name& name, End end, bool sends) {
    Waiting& waiting = waiting_[name];
    (sends ? waiting.sends : waiting.receives).push_back(std::move(end));
    if (waiting.sends.empty() || waiting.receives.empty()) return;
    End sent = std::move(waiting.sends.front()), received = std::move(waiting.receives.front());
    waiting.sends.pop_front();
    waiting.receives.pop_front();
    if (waiting.sends.empty() && waiting.receives.empty()) waiting_.erase(name);
    leave(name, std::move(sent), std::move(received));
}

/// Both threads do their part when its time has come, so that they take messages in that order.
void Traffic::leave(const Name& name, End sent, End received) {
    const index_t source = std::get<0>(name), destination = std::get<1>(name);
    const double path =
        std::max(sent.path_seconds, received.path_seconds) + message_seconds(static_cast<double>(sent.bytes));
    const double ready = by_thread(source, time_.now()) + 2 * network_.latency_seconds;
    time_.at(ready, [this, source, destination, path, sent = std::move(sent), received = std::move(received)] {
        const double through = by_links(source, destination, time_.now(), static_cast<double>(sent.bytes));
        time_.at(through, [path, ended = sent.ended] { ended(path); });
        time_.at(through + network_.latency_seconds, [this, destination, path, ended = received.ended] {
            time_.at(by_thread(destination, time_.now()), [path, ended] { ended(path); });
        });
    });
}

void Traffic::pass(index_t source, index_t destination, double bytes, Act arrived) {
    time_.at(by_thread(source, time_.now()), [this, source, destination, bytes, arrived = std::move(arrived)] {
        const double through = by_links(source, destination, time_.now(), bytes);
        time_.at(through + network_.latency_seconds, arrived);
    });
}

}  // namespace frond::detail
