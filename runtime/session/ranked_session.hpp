// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "frond/session.hpp"
#include "messages/channel.hpp"
#include "ranks/communicator.hpp"
#include "session/starpu/device_part.hpp"

namespace frond::detail {

/// What a session with a communicator has in addition to StarPU.
class RankedSession {
public:
    /// Collective. @throws RuntimeError  see Session
    explicit RankedSession(const void* communicator);

    Communicator& ranks() { return *ranks_; }
    /// As Driver::meet, where there is no solver yet.
    void meet(const char* call, std::exception_ptr error);
    void describe(SessionInfo& info) const;

    /// This rank's part of the devices of the node: seen is what gpu::devices_seen() says on this rank. Collective.
    DevicePart part_of_devices(count_t seen);

    /// Starts the channel for data of StarPU, where there are several ranks. Collective. @throws RuntimeError
    void start_messages(const std::shared_ptr<SessionState>& state);
    /// Null: there is one rank.
    const std::shared_ptr<Channel>& channel() const noexcept { return channel_; }

    /// The number of a new solver of these ranks, which it gives back. Collective over `ranks`, those of the solver.
    index_t take_solver_number(Communicator& ranks);
    void give_solver_number_back(index_t number) noexcept;

private:
    void list_taken(std::vector<count_t>& taken);
    bool take_if_free(index_t number);

    std::unique_ptr<Communicator> ranks_;
    std::string library_;
    std::shared_ptr<Channel> channel_;
    std::mutex mutex_;
    SolverNumbers numbers_;  // guarded by mutex_
};

/// A number of a solver as long as it lives.
class SolverNumber {
public:
    SolverNumber(std::shared_ptr<RankedSession> session, Communicator& ranks)
        : session_(std::move(session)), number_(session_->take_solver_number(ranks)) {}
    SolverNumber(const SolverNumber&) = delete;
    SolverNumber& operator=(const SolverNumber&) = delete;
    ~SolverNumber() { session_->give_solver_number_back(number_); }

    index_t get() const noexcept { return number_; }
    const std::shared_ptr<RankedSession>& session() const noexcept { return session_; }

private:
    std::shared_ptr<RankedSession> session_;
    index_t number_;
};

}  // namespace frond::detail
