// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/read/paje.hpp"
#include "trace/read/paje_states.hpp"

#include <string>
#include <unordered_map>

namespace frond::cli {

/// The states of workers and memory nodes, as spans of the records.
class PajeSpans {
public:
    explicit PajeSpans(PajeRecords& records) : records_(records) {}

    void name_node_state(std::string_view alias, std::string_view name) {
        node_state_names_[std::string(alias)] = name;
    }

    /// The stack of states of a container.
    StateStack& stack(const std::string& container) { return stacks_[container]; }

    void add_span(int worker, const StateStack::Held& held, double end);
    void add_node_span(int node, const StateStack::Held& held, double end);

private:
    PajeRecords& records_;
    std::unordered_map<std::string, std::string> node_state_names_;
    std::unordered_map<std::string, StateStack> stacks_;
    std::unordered_map<int, std::size_t> last_span_;
};

}  // namespace frond::cli
