// SPDX-License-Identifier: BSD-3-Clause
// Events, containers and spans of a Paje file.
#pragma once

#include "trace/read/paje.hpp"
#include "trace/read/trace_lines.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace frond::cli {

/// The event that the reader is at: a line of words, of which the first is the number of the event.
class PajeEvent {
public:
    explicit PajeEvent(const std::string& file) : lines_(file) {}

    bool next() { return lines_.next(); }
    std::string_view line() const { return lines_.line(); }
    const std::vector<std::string_view>& split(std::string_view text) {
        split_words(text, words_);
        return words_;
    }

    std::size_t words() const { return words_.size(); }
    std::string_view word(std::size_t i) const {
        if (i >= words_.size()) lines_.refuse(lines_.line(), "a whole event");
        return words_[i];
    }

    [[noreturn]] void refuse(std::string_view word, const char* wanted) const { lines_.refuse(word, wanted); }

private:
    TraceLines lines_;
    std::vector<std::string_view> words_;
};

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

/// The states of one container, one on the other: events set, push and pop them.
class StateStack {
public:
    /// The state that holds until now, and since when.
    struct Held {
        std::string state;
        double begin = 0;
    };

    /// What held until `time`, and then no longer.
    Held set(double time, std::string_view state) {
        if (states_.empty()) states_.emplace_back();
        Held held{std::move(states_.back()), since_};
        states_.back() = state;
        since_ = time;
        return held;
    }
    Held push(double time, std::string_view state) {
        Held held{states_.empty() ? std::string() : states_.back(), since_};
        states_.emplace_back(state);
        since_ = time;
        return held;
    }
    Held pop(double time) {
        if (states_.empty()) return {};
        Held held{std::move(states_.back()), since_};
        states_.pop_back();
        since_ = time;
        return held;
    }

private:
    std::vector<std::string> states_;
    double since_ = 0;
};

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
