// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <functional>
#include <string>

namespace frond::test {

/// While it lives, tasks of a codelet's name (empty: of any) that are submitted are counted, and before(k) is called on the worker of the
/// k-th of them (from 0) just before it begins. One at a time.
class WatchedTasks {
public:
    explicit WatchedTasks(std::string codelet, std::function<void(count_t)> before = {});
    WatchedTasks(const WatchedTasks&) = delete;
    WatchedTasks& operator=(const WatchedTasks&) = delete;
    ~WatchedTasks();

    count_t submitted() const;
};

}  // namespace frond::test
