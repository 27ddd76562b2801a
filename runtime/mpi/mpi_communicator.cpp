// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_communicator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "frond/base/vector_index.hpp"
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

/// What processes of one machine have in common: its name, and the number that its system has taken at its start.
count_t hash_of_machine(Alarm& alarm) {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    alarm.check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    std::array<char, 64> start{};  // not by a stream, whose buffer is larger than what is always there
    if (std::FILE* const file = std::fopen("/proc/sys/kernel/random/boot_id", "r"); file != nullptr) {
        if (std::fgets(start.data(), static_cast<int>(start.size()), file) == nullptr) start[0] = '\0';
        std::fclose(file);
    }
    return static_cast<count_t>(std::hash<std::string>()(std::string(name.data(), at(length)) + ' ' + start.data()));
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm original, std::shared_ptr<Alarm> alarm)
    : alarm_(std::move(alarm)), comm_(alarm_->duplicate(original)) {
    alarm_->check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    alarm_->check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

std::unique_ptr<MpiCommunicator> MpiCommunicator::first(MPI_Comm original, std::shared_ptr<Alarm> alarm) {
    auto made = std::make_unique<MpiCommunicator>(original, std::move(alarm));
    made->is_first_ = true;
    made->alarm_->use_own(made->comm_);
    made->find_local_ranks();  // when it has ended, all ranks have their own
    made->alarm_->leave_callers();
    return made;
}

/// After a failure other ranks may not free theirs.
MpiCommunicator::~MpiCommunicator() {
    if (is_first_) alarm_->use_own(MPI_COMM_NULL);
    if (is_running() && !alarm_->is_raised()) succeeded(MPI_Comm_free(&comm_));
}

void MpiCommunicator::find_local_ranks() {
    const std::vector<count_t> mine(at(size_), hash_of_machine(*alarm_));
    const std::vector<count_t> all = all_to_all(mine);
    for (index_t r = 0; r < size_; ++r)
        if (all[at(r)] == mine[0]) local_ranks_.push_back(r);
}

std::unique_ptr<detail::Communicator> MpiCommunicator::duplicate() {
    expect_working();
    auto made = std::make_unique<MpiCommunicator>(comm_, alarm_);
    made->local_ranks_ = local_ranks_;
    return made;
}

void MpiCommunicator::expect_working() {
    expect_running();
    alarm_->expect_none();
}

void MpiCommunicator::wait(std::span<MPI_Request> requests, count_t bytes) {
    const IdleTime idle(counts_.idle_seconds);
    Patience patience(what_is_waited_for(bytes));
    try {
        for (int done = 0;;) {
            alarm_->check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
                          "MPI_Testall");
            if (done != 0) return;
            if (patience.pause()) alarm_->expect_none();
        }
    } catch (const RuntimeError&) {
        Alarm::settle(requests);
        throw;
    }
}

void MpiCommunicator::all_reduce(std::span<count_t> values, MPI_Op operation) {
    expect_working();
    in_pieces(0, static_cast<count_t>(values.size_bytes()), [&](count_t at, int bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        alarm_->check(MPI_Iallreduce(MPI_IN_PLACE, values.data() + at / static_cast<count_t>(sizeof(count_t)),
                                     bytes / static_cast<int>(sizeof(count_t)), MPI_INT64_T, operation, comm_,
                                     &request),
                      "MPI_Iallreduce");
        wait(request, bytes);
    });
}

void MpiCommunicator::broadcast(std::span<std::byte> data, index_t root) {
    expect_working();
    in_pieces(0, static_cast<count_t>(data.size()), [&](count_t at, int bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        alarm_->check(MPI_Ibcast(data.data() + at, bytes, MPI_BYTE, root, comm_, &request), "MPI_Ibcast");
        wait(request, bytes);
    });
}

std::vector<count_t> MpiCommunicator::all_to_all(std::span<const count_t> mine) {
    expect_working();
    std::vector<count_t> theirs(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    alarm_->check(MPI_Ialltoall(mine.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, comm_, &request),
                  "MPI_Ialltoall");
    wait(request, static_cast<count_t>(mine.size_bytes()));
    return theirs;
}

void MpiCommunicator::exchange(std::span<const std::byte> out, std::span<const count_t> out_begin,
                               std::span<std::byte> in, std::span<const count_t> in_begin) {
    expect_working();
    std::vector<MPI_Request> requests;
    requests.reserve(count_pieces(in_begin) + count_pieces(out_begin));  // once one is posted, nothing may be refused
    try {
        post_parcels(out, out_begin, in, in_begin, requests);
    } catch (const RuntimeError&) {
        Alarm::settle(requests);
        throw;
    }
    const auto own = static_cast<std::size_t>(rank_);
    std::copy(out.begin() + out_begin[own], out.begin() + out_begin[own + 1], in.begin() + in_begin[own]);
    if (!requests.empty()) wait(requests, out_begin.back() + in_begin.back());
}

void MpiCommunicator::post_parcels(std::span<const std::byte> out, std::span<const count_t> out_begin,
                                   std::span<std::byte> in, std::span<const count_t> in_begin,
                                   std::vector<MPI_Request>& requests) {
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
            alarm_->check(MPI_Irecv(in.data() + at, bytes, MPI_BYTE, r, tag_of_parcels, comm_, &request), "MPI_Irecv");
            counts_.bytes_received += bytes;
            ++counts_.messages_received;
        });
    }
    for (index_t step = 1; step < size_; ++step) {
        const index_t r = (rank_ + step) % size_;  // not all ranks send to the same one first
        post(r, out_begin, [&](count_t at, int bytes, MPI_Request& request) {
            alarm_->check(MPI_Isend(out.data() + at, bytes, MPI_BYTE, r, tag_of_parcels, comm_, &request), "MPI_Isend");
            counts_.bytes_sent += bytes;
            ++counts_.messages_sent;
        });
    }
}

}  // namespace frond::mpi
