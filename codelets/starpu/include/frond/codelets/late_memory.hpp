// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace frond {

/// Host memory behind data that were registered before they had any. A task that all tasks on these data wait for takes
/// it, so that it can be what others have given back until then. Its bytes were reserved before.
class LateMemory {
public:
    /// All the data have their memory when it has returned; later calls do nothing. One call at a time.
    /// @throws OutOfMemory
    virtual void provide() = 0;

protected:
    ~LateMemory() = default;
};

}  // namespace frond
