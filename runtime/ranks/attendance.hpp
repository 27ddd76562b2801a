// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "frond/base/types.hpp"

namespace frond::detail {

/// What the thread that called Frond asks and tells while another thread of its rank works with those of other ranks:
/// each rank can cancel the work of all, and a job that fails on one is to stop on all.
class Attendance {
public:
    static constexpr std::int64_t no_job = -1, every_job = std::numeric_limits<std::int64_t>::max();

    Attendance() = default;
    Attendance(const Attendance&) = delete;
    Attendance& operator=(const Attendance&) = delete;

    /// Whether this rank's work has ended; may wait a little.
    virtual bool has_ended() = 0;
    /// Whether this rank's caller wants to cancel.
    virtual bool wants_to_cancel() = 0;
    /// The number of a job that has failed here and of which the others do not know, once; or no_job.
    virtual std::int64_t failed_job() = 0;

    /// That rank, which may be this one, wants to cancel: the same one on all ranks.
    virtual void cancel(index_t rank) = 0;
    /// The job of that number has failed on another rank; it may not have begun here, or have ended. every_job: no job can
    /// go on, nor can one that begins.
    virtual void stop_job(std::int64_t number) = 0;

protected:
    ~Attendance() = default;
};

}  // namespace frond::detail
