// SPDX-License-Identifier: BSD-3-Clause
// All ranks while rank 0 works: each of them can stop the work.
#include "mpi_communicator.hpp"

#include <array>

#include "patience.hpp"

namespace frond::mpi {
namespace {

constexpr int tag_of_stop = 2;
// What a rank other than 0 sends in the course of one job, exactly once.
constexpr char stops = 1, did_not_stop = 0;

bool is_set(const std::atomic<bool>* cancel) { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }

}  // namespace

void MpiCommunicator::attend(const std::function<bool()>& ended, std::atomic<bool>& stop,
                             const std::atomic<bool>* cancel) {
    expect_running();
    if (rank_ == 0)
        attend_on_rank_0(ended, stop, cancel);
    else
        attend_elsewhere(cancel);
}

void MpiCommunicator::attend_on_rank_0(const std::function<bool()>& ended, std::atomic<bool>& stop,
                                       const std::atomic<bool>* cancel) {
    const auto others = static_cast<std::size_t>(size_ - 1);
    std::vector<char> answer(others, did_not_stop);
    std::vector<MPI_Request> requests(others, MPI_REQUEST_NULL);
    for (std::size_t k = 0; k < others; ++k)
        check(MPI_Irecv(&answer[k], 1, MPI_CHAR, static_cast<int>(k) + 1, tag_of_stop, comm_, &requests[k]),
              "MPI_Irecv");
    while (!ended()) {
        int all = 0;
        if (others > 0)
            check(MPI_Testall(static_cast<int>(others), requests.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
        // Testall lets messages come in one by one, also where it completes none of them.
        for (std::size_t k = 0; k < others && all == 0; ++k) {
            int one = 0;
            check(MPI_Test(&requests[k], &one, MPI_STATUS_IGNORE), "MPI_Test");
        }
        for (const char a : answer)
            if (a == stops) stop = true;
        if (is_set(cancel)) stop = true;
    }
    MPI_Request done = MPI_REQUEST_NULL;
    char nothing = 0;
    check(MPI_Ibcast(&nothing, 1, MPI_CHAR, 0, comm_, &done), "MPI_Ibcast");
    requests.push_back(done);
    wait(requests);
}

void MpiCommunicator::attend_elsewhere(const std::atomic<bool>* cancel) {
    std::vector<MPI_Request> sent(1, MPI_REQUEST_NULL);
    const auto send = [&](const char& answer) {
        check(MPI_Isend(&answer, 1, MPI_CHAR, 0, tag_of_stop, comm_, sent.data()), "MPI_Isend");
    };
    char nothing = 0;
    MPI_Request done = MPI_REQUEST_NULL;
    check(MPI_Ibcast(&nothing, 1, MPI_CHAR, 0, comm_, &done), "MPI_Ibcast");
    bool has_answered = false;
    const auto start = std::chrono::steady_clock::now();
    Patience patience;
    for (int all = 0;;) {
        check(MPI_Test(&done, &all, MPI_STATUS_IGNORE), "MPI_Test");
        if (all != 0) break;
        if (!has_answered && is_set(cancel)) {
            send(stops);
            has_answered = true;
        }
        patience.pause();
    }
    counts_.idle_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!has_answered) send(did_not_stop);
    wait(sent);
}

}  // namespace frond::mpi
