// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "frond/session.hpp"
#include "ranks/communicator.hpp"

namespace frond::detail {

/// What a session with a communicator has beside StarPU.
class RankedSession {
public:
    /// Collective. @throws RuntimeError  see Session
    explicit RankedSession(const void* communicator);

    Communicator& ranks() { return *ranks_; }
    void describe(SessionInfo& info) const;

private:
    std::unique_ptr<Communicator> ranks_;
    std::string library_;
};

}  // namespace frond::detail
