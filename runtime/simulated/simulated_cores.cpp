// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/simulated_cores.hpp"

#include <utility>

namespace frond::detail {

void SimulatedCores::add(int priority, SimulatedTime::Act begin) {
    ready_.push({priority, added_++, std::move(begin)});
    begin_ready();
}

void SimulatedCores::end(double begun) {
    busy_seconds_ += time_.now() - begun;
    ++idle_;
    begin_ready();
}

void SimulatedCores::begin_ready() {
    while (idle_ > 0 && !ready_.empty()) {
        const SimulatedTime::Act begin = std::move(const_cast<Ready&>(ready_.top()).begin);
        ready_.pop();
        --idle_;
        begin();
    }
}

}  // namespace frond::detail
