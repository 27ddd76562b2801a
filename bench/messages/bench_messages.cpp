// SPDX-License-Identifier: BSD-3-Clause
// What a message between two ranks costs through the channel, and by MPI alone.
#include "engine/data_handle.hpp"
#include "mpi/channel/start_channel.hpp"
#include "session/session_state.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace frond;
using detail::Channel;
using detail::DataHandle;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Outlives the channel, whose thread counts here. Who waits sleeps: the threads of two ranks share two cores.
struct Ended {
    std::atomic<int> count{0};
    int awaited = 0;

    detail::AfterMessage after() {
        return {[](void* raw, detail::MessageEnd) noexcept {
                    auto& ended = *static_cast<Ended*>(raw);
                    ended.count.fetch_add(1);
                    ended.count.notify_one();
                },
                this};
    }
    void wait_for(int more) {
        awaited += more;
        for (int seen = count.load(); seen < awaited; seen = count.load()) count.wait(seen);
    }
};

/// Tags that no earlier message had.
MessageTag next_tag() {
    static std::int64_t index = 0;
    return {0, 0, 0, 0, index++};
}

/// Half of a message there and back, both posted when they are due.
double channel_latency(Channel& channel, Ended& ended, count_t bytes, int rounds) {
    std::vector<char> memory(static_cast<std::size_t>(bytes), 'x');
    const DataHandle data = DataHandle::vector(memory.data(), bytes);
    const auto start = Clock::now();
    for (int i = 0; i < 2 * rounds; ++i) {
        if (i % 2 == channel.rank())
            channel.send(data.get(), 1 - channel.rank(), next_tag(), 0, ended.after());
        else
            channel.receive(data.get(), 1 - channel.rank(), next_tag(), ended.after());
        ended.wait_for(1);
    }
    return seconds_since(start) / (2 * rounds);
}

void check(int status, const char* call) {
    if (status != MPI_SUCCESS) throw std::runtime_error(std::string(call) + " failed");
}

double mpi_latency(int rank, count_t bytes, int rounds) {
    std::vector<char> memory(static_cast<std::size_t>(bytes), 'x');
    const int size = static_cast<int>(bytes);
    const auto start = Clock::now();
    for (int i = 0; i < 2 * rounds; ++i)
        if (i % 2 == rank)
            check(MPI_Send(memory.data(), size, MPI_BYTE, 1 - rank, 7, MPI_COMM_WORLD), "MPI_Send");
        else
            check(MPI_Recv(memory.data(), size, MPI_BYTE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
    return seconds_since(start) / (2 * rounds);
}

/// Messages from rank 0 to rank 1, all posted at once.
double channel_rate(Channel& channel, Ended& ended, count_t bytes, int messages) {
    std::vector<char> memory(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(messages), 'x');
    std::vector<DataHandle> data;
    for (int i = 0; i < messages; ++i) data.push_back(DataHandle::vector(memory.data() + i * bytes, bytes));
    check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    const auto start = Clock::now();
    for (const DataHandle& one : data)
        if (channel.rank() == 0)
            channel.send(one.get(), 1, next_tag(), 0, ended.after());
        else
            channel.receive(one.get(), 0, next_tag(), ended.after());
    ended.wait_for(messages);
    return seconds_since(start) / messages;
}

double mpi_rate(int rank, count_t bytes, int messages) {
    std::vector<char> memory(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(messages), 'x');
    std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
    check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    const auto start = Clock::now();
    for (int i = 0; i < messages; ++i) {
        char* const at = memory.data() + i * bytes;
        MPI_Request& request = requests[static_cast<std::size_t>(i)];
        const int size = static_cast<int>(bytes);
        if (rank == 0)
            check(MPI_Issend(at, size, MPI_BYTE, 1, i, MPI_COMM_WORLD, &request), "MPI_Issend");
        else
            check(MPI_Irecv(at, size, MPI_BYTE, 0, i, MPI_COMM_WORLD, &request), "MPI_Irecv");
    }
    check(MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return seconds_since(start) / messages;
}

/// "least (median)" in microseconds.
std::string text_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    char text[64];
    std::snprintf(text, sizeof text, "%.2f (%.2f)", 1e6 * seconds.front(), 1e6 * seconds[seconds.size() / 2]);
    return text;
}

/// In turns, since others use the machine as well.
template <class ByChannel, class ByMpi>
void print_row(int rank, const char* what, count_t bytes, const ByChannel& by_channel, const ByMpi& by_mpi) {
    std::vector<double> channel_seconds, mpi_seconds;
    for (int turn = 0; turn < 9; ++turn) {
        channel_seconds.push_back(by_channel());
        mpi_seconds.push_back(by_mpi());
    }
    if (rank == 0)
        std::printf("%-22s %10lld %20s %20s\n", what, static_cast<long long>(bytes), text_of(channel_seconds).c_str(),
                    text_of(mpi_seconds).c_str());
}

void run(int rank, int rounds) {
    SessionOptions options;
    options.cpu_workers = 1;
    options.gpus = 0;
    const auto starpu = detail::SessionState::acquire(options);
    starpu->start();
    MPI_Comm world = MPI_COMM_WORLD;
    Ended ended;
    const auto channel = detail::start_channel(&world);
    if (rank == 0) std::printf("%-22s %10s %20s %20s\n", "us: least (median)", "bytes", "channel", "MPI alone");
    for (const count_t bytes : {64, 16 << 10, 2 << 20}) {
        const int count = bytes > (1 << 20) ? std::max(rounds / 10, 1) : rounds;
        print_row(
            rank, "half a round trip", bytes, [&] { return channel_latency(*channel, ended, bytes, count); },
            [&] { return mpi_latency(rank, bytes, count); });
    }
    for (const count_t bytes : {1 << 10, 64 << 10})
        print_row(
            rank, "posted at once, each", bytes, [&] { return channel_rate(*channel, ended, bytes, 4 * rounds); },
            [&] { return mpi_rate(rank, bytes, 4 * rounds); });
}

}  // namespace

int main(int count, char** arguments) {
    int level = 0, rank = 0, ranks = 0;
    if (MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 500;
    if (level < MPI_THREAD_MULTIPLE || ranks != 2 || rounds < 1) {
        std::fprintf(stderr, "usage: mpirun -n 2 bench_messages [ROUNDS], with an MPI that has MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    try {
        run(rank, rounds);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
