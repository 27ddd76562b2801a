// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

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

}  // namespace frond::cli
