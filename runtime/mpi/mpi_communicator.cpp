// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_communicator.hpp"

#include <algorithm>
#include <chrono>

#include "patience.hpp"

namespace frond::mpi {
namespace {

/// Messages are cut here: MPI counts in int, and a piece in flight needs room on both sides.
constexpr count_t longest_message = count_t{64} << 20;
constexpr int tag_of_parcels = 1;

class IdleTime {
public:
    explicit IdleTime(double& seconds) : seconds_(seconds) {}
    IdleTime(const IdleTime&) = delete;
    IdleTime& operator=(const IdleTime&) = delete;
    ~IdleTime() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// use(first byte, bytes) for pieces that MPI can count.
template <class Use>
void in_pieces(count_t begin, count_t end, Use use) {
    for (count_t at = begin; at < end; at += longest_message)
        use(at, static_cast<int>(std::min(longest_message, end - at)));
}

std::size_t count_pieces(std::span<const count_t> begin) {
    std::size_t pieces = 0;
    for (std::size_t r = 0; r + 1 < begin.size(); ++r)
        in_pieces(begin[r], begin[r + 1], [&](count_t, int) { ++pieces; });
    return pieces;
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm original) {
    check(MPI_Comm_dup(original, &comm_), "MPI_Comm_dup");
    try {
        // Errors come back as a status, whatever the application set for its own communicator.
        check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
        find_local_ranks();
    } catch (...) {
        succeeded(MPI_Comm_free(&comm_));  // no destructor follows
        throw;
    }
}

MpiCommunicator::~MpiCommunicator() {
    if (is_running()) succeeded(MPI_Comm_free(&comm_));
}

void MpiCommunicator::find_local_ranks() {
    MPI_Comm local = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local), "MPI_Comm_split_type");
    int size = 0;
    check(MPI_Comm_size(local, &size), "MPI_Comm_size");
    local_ranks_.resize(static_cast<std::size_t>(size));
    check(MPI_Allgather(&rank_, 1, MPI_INT, local_ranks_.data(), 1, MPI_INT, local), "MPI_Allgather");
    check(MPI_Comm_free(&local), "MPI_Comm_free");
}

std::unique_ptr<detail::Communicator> MpiCommunicator::duplicate() {
    expect_running();
    return std::make_unique<MpiCommunicator>(comm_);
}

void MpiCommunicator::wait(MPI_Request& request, count_t bytes) {
    const IdleTime idle(counts_.idle_seconds);
    Patience patience(what_is_waited_for(bytes));
    for (int done = 0;;) {
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done != 0) return;
        patience.pause();
    }
}

void MpiCommunicator::wait(std::vector<MPI_Request>& requests, count_t bytes) {
    const IdleTime idle(counts_.idle_seconds);
    Patience patience(what_is_waited_for(bytes));
    for (int done = 0;;) {
        check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
        if (done != 0) return;
        patience.pause();
    }
}

void MpiCommunicator::all_reduce(std::span<count_t> values, MPI_Op operation) {
    expect_running();
    in_pieces(0, static_cast<count_t>(values.size_bytes()), [&](count_t at, int bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Iallreduce(MPI_IN_PLACE, values.data() + at / static_cast<count_t>(sizeof(count_t)),
                             bytes / static_cast<int>(sizeof(count_t)), MPI_INT64_T, operation, comm_, &request),
              "MPI_Iallreduce");
        wait(request, bytes);
    });
}

void MpiCommunicator::broadcast(std::span<std::byte> data, index_t root) {
    expect_running();
    in_pieces(0, static_cast<count_t>(data.size()), [&](count_t at, int bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ibcast(data.data() + at, bytes, MPI_BYTE, root, comm_, &request), "MPI_Ibcast");
        wait(request, bytes);
    });
}

std::vector<count_t> MpiCommunicator::all_to_all(std::span<const count_t> mine) {
    expect_running();
    std::vector<count_t> theirs(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ialltoall(mine.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, comm_, &request), "MPI_Ialltoall");
    wait(request, static_cast<count_t>(mine.size_bytes()));
    return theirs;
}

void MpiCommunicator::exchange(std::span<const std::byte> out, std::span<const count_t> out_begin,
                               std::span<std::byte> in, std::span<const count_t> in_begin) {
    expect_running();
    std::vector<MPI_Request> requests;
    requests.reserve(count_pieces(in_begin) + count_pieces(out_begin));  // once one is posted, nothing may be refused
    const auto post = [&](index_t other, std::span<const count_t> begin, auto start) {
        const auto r = static_cast<std::size_t>(other);
        in_pieces(begin[r], begin[r + 1], [&](count_t at, int bytes) {
            requests.push_back(MPI_REQUEST_NULL);
            start(at, bytes, requests.back());
        });
    };
    for (index_t r = 0; r < size_; ++r) {
        if (r == rank_) continue;
        post(r, in_begin, [&](count_t at, int bytes, MPI_Request& request) {
            check(MPI_Irecv(in.data() + at, bytes, MPI_BYTE, r, tag_of_parcels, comm_, &request), "MPI_Irecv");
            counts_.bytes_received += bytes;
            ++counts_.messages_received;
        });
    }
    for (index_t step = 1; step < size_; ++step) {
        const index_t r = (rank_ + step) % size_;  // not all ranks send to the same one first
        post(r, out_begin, [&](count_t at, int bytes, MPI_Request& request) {
            check(MPI_Isend(out.data() + at, bytes, MPI_BYTE, r, tag_of_parcels, comm_, &request), "MPI_Isend");
            counts_.bytes_sent += bytes;
            ++counts_.messages_sent;
        });
    }
    const auto own = static_cast<std::size_t>(rank_);
    std::copy(out.begin() + out_begin[own], out.begin() + out_begin[own + 1], in.begin() + in_begin[own]);
    if (!requests.empty()) wait(requests, out_begin.back() + in_begin.back());
}

}  // namespace frond::mpi
