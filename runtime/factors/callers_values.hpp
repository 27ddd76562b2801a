// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "frond/base/host_block.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Values of the caller in memory that the host can read: the caller's own, or a copy of what is in that of the
/// session's first device, after what was queued there in the legacy default stream.
template <class T>
class CallersValues {
public:
    /// @throws InvalidArgument for memory that is neither; DeviceError
    CallersValues(SessionState& session, std::span<const T> values);

    const T* data() const noexcept { return data_; }

private:
    HostBlock copy_;
    const T* data_;
};

}  // namespace frond::detail
