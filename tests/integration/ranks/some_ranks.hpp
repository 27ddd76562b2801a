// SPDX-License-Identifier: BSD-3-Clause
// The first ranks of the program as a communicator of their own.
#pragma once

#include "frond/mpi.h"
#include "frond/session.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace frond::test {

class SomeRanks {
public:
    explicit SomeRanks(int size) {
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

/// body(ranks) on 1, 2, 3 and all ranks of the program, as far as it has so many.
template <class Body>
void on_some_ranks(const Body& body) {
    std::vector<int> sizes;
    for (const int size : {1, 2, 3, world_size()})
        if (size <= world_size() && (sizes.empty() || sizes.back() < size)) sizes.push_back(size);
    for (const int size : sizes) {
        CAPTURE(size);
        const SomeRanks ranks(size);
        if (ranks.here()) body(ranks);
    }
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
