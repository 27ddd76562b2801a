// SPDX-License-Identifier: BSD-3-Clause
// The same cases on every rank. One rank that fails ends the run on all, which may wait for it.
#define DOCTEST_CONFIG_IMPLEMENT
#include "leak_check.hpp"
#include "leaks_expected.hpp"
#include "ranks.hpp"

#include <mpi.h>

#include <cstdio>
#include <iostream>
#include <sstream>

namespace frond::test {
namespace {

MPI_Comm communicator = MPI_COMM_WORLD, half = MPI_COMM_NULL;
std::shared_ptr<detail::SessionState>* kept = nullptr;

}  // namespace

void* world() { return &communicator; }
void* half_of_world() {
    if (half == MPI_COMM_NULL) MPI_Comm_split(communicator, world_rank() % 2, world_rank(), &half);
    return &half;
}
int world_rank() {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    return rank;
}
int world_size() {
    int size = 0;
    MPI_Comm_size(communicator, &size);
    return size;
}
void wait_for_all_ranks() { sum_over_ranks(0); }
/// Who waits sleeps: the other ranks need the cores.
count_t sum_over_ranks(count_t value) {
    long long own = value, sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&own, &sum, 1, MPI_LONG_LONG, MPI_SUM, communicator, &request);
    for (int done = 0; done == 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    return sum;
}
bool on_any_rank(bool here) { return sum_over_ranks(here ? 1 : 0) > 0; }

std::shared_ptr<detail::SessionState> shared_starpu() { return *kept; }

namespace {

int run(int count, char** arguments) {
    SessionOptions options;
    options.cpu_workers = 1;
    options.gpus = 0;
    setenv("STARPU_WORKERS_NOBIND", "1", 0);
    std::shared_ptr<detail::SessionState> starpu = detail::SessionState::acquire(options);
    starpu->start();
    kept = &starpu;
    doctest::Context context(count, arguments);
    std::ostringstream text;
    context.setCout(&text);
    const int result = context.run();
    if (result != 0 || world_rank() == 0) std::cout << "rank " << world_rank() << "\n" << text.str() << std::flush;
    if (result != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    return result;
}

}  // namespace
}  // namespace frond::test

int main(int count, char** arguments) {
    int level = 0, status = MPI_SUCCESS;
    {
        const frond::test::LeaksExpected of_mpi;  // Open MPI and PMIx lose some 200 bytes while they start
        status = MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    }
    if (status != MPI_SUCCESS || level < MPI_THREAD_MULTIPLE) {
        std::fprintf(stderr, "this MPI has no MPI_THREAD_MULTIPLE, which the test needs\n");
        return 1;
    }
    int result = 1;
    try {
        result = frond::test::run(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "the tests could not be run: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    frond::test::wait_for_all_ranks();
    if (frond::test::half != MPI_COMM_NULL) MPI_Comm_free(&frond::test::half);
    frond::test::check_leaks();
    MPI_Finalize();
    return result;
}
