// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "mpi_calls.hpp"

namespace frond::mpi {

/// The news that MPI has failed on some rank. The rank that sees it tells all others, and from then on every call on these
/// ranks throws it, since what they have in common is not known any more (decision 82). Ranks look for the news while they
/// wait, and before they begin something together.
/// @par Thread safety  any
class Alarm {
public:
    /// On the caller's communicator, until there is one whose messages do not mix with the application's.
    explicit Alarm(MPI_Comm callers);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    ~Alarm() {
        if (is_under_way_) static_cast<void>(note_.release());  // MPI may still read it
    }
    /// On this one as well, for ranks that have it already; MPI_COMM_NULL: no longer.
    void use_own(MPI_Comm ranks) noexcept { comms_[0] = ranks; }
    void leave_callers() noexcept { comms_[1] = MPI_COMM_NULL; }

    bool is_raised() const noexcept { return is_raised_.load(std::memory_order_acquire); }
    /// Looks at MPI once a millisecond at most. @throws RuntimeError  somebody has raised it
    void expect_none();
    /// Raises it for a status that is not MPI_SUCCESS. @throws RuntimeError
    void check(int status, const char* function);
    /// Tells all other ranks, the first time.
    void raise(const std::string& what) noexcept;

    /// A duplicate of a communicator, for which a rank does not wait inside MPI. Collective.
    MPI_Comm duplicate(MPI_Comm original);
    /// Waits a little for what was begun before the alarm. Other ranks begin nothing once they have heard of it: what has
    /// not ended then reads and writes no memory any more.
    static void settle(std::span<MPI_Request> requests) noexcept;

private:
    struct Note {
        std::int64_t number = any_number;  // of the alarm among those of the caller's communicator
        std::array<char, 1000> text{};  // an unusual length, so that no message of the application is taken for a note
    };
    static constexpr std::int64_t any_number = -1;

    void look() noexcept;
    void look_at(MPI_Comm ranks) noexcept;
    void take_note(MPI_Comm ranks, int source) noexcept;
    bool set(std::string_view text) noexcept;
    void number_note(MPI_Comm callers);
    void tell_others() noexcept;
    bool is_told(MPI_Comm ranks, int rank) noexcept;

    std::array<std::atomic<MPI_Comm>, 2> comms_;  // its own, the caller's
    int rank_ = MPI_PROC_NULL, size_ = 0;
    std::atomic<bool> is_raised_{false};
    std::atomic<std::int64_t> next_look_{0};
    std::mutex mutex_;  // of note_ until is_raised_ is set; from then on it stays
    std::unique_ptr<Note> note_ = std::make_unique<Note>();
    bool is_under_way_ = false;
};

}  // namespace frond::mpi
