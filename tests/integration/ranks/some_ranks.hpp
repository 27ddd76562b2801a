// SPDX-License-Identifier: BSD-3-Clause
// The first ranks of the program as a communicator of their own.
#pragma once

#include "frond/mpi.h"
#include "frond/session.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace frond::test {

/// All ranks of the program wait for the last one, asleep: MPI itself would look for it without a pause, on a core that the
/// others need.
inline void wait_for_all_ranks() {
    MPI_Request all = MPI_REQUEST_NULL;
    int are_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &are_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && are_here == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class SomeRanks {
public:
    explicit SomeRanks(int size) {
        wait_for_all_ranks();
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm_);
        if (!here()) return;
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
    }
    SomeRanks(const SomeRanks&) = delete;
    SomeRanks& operator=(const SomeRanks&) = delete;
    ~SomeRanks() {
        if (here()) MPI_Comm_free(&comm_);
    }

    bool here() const { return comm_ != MPI_COMM_NULL; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    int last() const { return size_ - 1; }
    const MPI_Comm* communicator() const { return &comm_; }

    Session session(index_t cpu_workers = 1) const {
        SessionOptions options;
        options.cpu_workers = cpu_workers;
        options.communicator = communicator();
        return Session(options);
    }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
};

inline int world_size() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// body(ranks) on `least`, 2, 3 and all ranks of the program, as far as it has so many.
template <class Body>
void on_some_ranks(const Body& body, int least = 1) {
    int last = least - 1;
    for (const int size : {1, 2, 3, world_size()}) {
        if (size > world_size() || size <= last) continue;
        last = size;
        CAPTURE(size);
        const SomeRanks ranks(size);
        if (ranks.here()) body(ranks);
    }
}

/// For suites that need several ranks.
template <class Body>
void on_several_ranks(const Body& body) {
    on_some_ranks(body, 2);
}

/// The message of the exception of this type that body throws; empty and a failure when it throws none.
template <class Expected, class Body>
std::string message_of(const Body& body) {
    try {
        body();
    } catch (const Expected& error) {
        return error.what();
    } catch (const std::exception& error) {
        FAIL_CHECK("another exception: " << error.what());
        return "";
    }
    FAIL_CHECK("no exception");
    return "";
}

/// Whether all ranks have this text.
inline bool is_same_everywhere(const SomeRanks& ranks, const std::string& text) {
    unsigned long long sums[2] = {text.size(), 0};
    for (const char c : text) sums[1] = sums[1] * 131 + static_cast<unsigned char>(c);
    unsigned long long low[2], high[2];
    MPI_Allreduce(sums, low, 2, MPI_UNSIGNED_LONG_LONG, MPI_MIN, *ranks.communicator());
    MPI_Allreduce(sums, high, 2, MPI_UNSIGNED_LONG_LONG, MPI_MAX, *ranks.communicator());
    return low[0] == high[0] && low[1] == high[1];
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace frond::test
