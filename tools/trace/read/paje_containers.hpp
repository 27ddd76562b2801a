// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/paje.hpp"
#include "trace/read/paje_event.hpp"

#include <optional>
#include <string>
#include <unordered_map>

namespace frond::cli {

/// What events happen in: ranks, memory nodes, threads and their workers. Those that a line names become records.
class PajeContainers {
public:
    explicit PajeContainers(PajeRecords& records) : records_(records) {}

    void add(const PajeEvent& event);

    /// ranked_number of a worker, the place of a memory node; nothing for other containers.
    std::optional<int> worker(const std::string& container) const { return found(worker_of_, container); }
    std::optional<int> node(const std::string& container) const { return found(node_of_, container); }

private:
    using Numbers = std::unordered_map<std::string, int>;
    static std::optional<int> found(const Numbers& numbers, const std::string& container);
    int node_place(int number);
    void add_worker(const PajeEvent& event);

    PajeRecords& records_;
    Numbers worker_of_, node_of_, parent_of_thread_;
};

}  // namespace frond::cli
