// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>

namespace frond::detail {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP waits where it would end the process: the end then comes when the
/// files of a start of StarPU are gone. A second one ends the process at once; signals with a handler, and ignored ones,
/// stay as they are. One at a time.
class HeldSignals {
public:
    HeldSignals() noexcept;
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals();

private:
    static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
    std::array<bool, signals.size()> is_held_{};
};

}  // namespace frond::detail
