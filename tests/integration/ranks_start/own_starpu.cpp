// SPDX-License-Identifier: BSD-3-Clause
// An application that starts StarPU itself, and goes on to use it while Frond factors on all ranks: with tasks of its own,
// or with messages of StarPU-MPI (tests/CMakeLists.txt). 77: this StarPU has no StarPU-MPI.
#include "frond/frond.hpp"
#include "frond/mpi.h"
#include "frond/matrix/generate.hpp"

#include <starpu.h>
#ifdef FROND_WITH_STARPU_MPI
#include <starpu_mpi.h>
#endif

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using namespace frond;

constexpr int size = 100'000;  // bytes of a message: more than goes inside a note

int expect(bool right, const char* what) {
    if (!right) std::fprintf(stderr, "own_starpu: %s\n", what);
    return right ? 0 : 1;
}

starpu_conf with_one_worker() {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = 1;
    return conf;
}

/// A tree that ranks share: twice, with a solve each.
int factor_and_solve(const MPI_Comm& communicator, int rank) {
    SessionOptions options;
    options.communicator = &communicator;
    const Session session(options);
    int failures = expect(!session.info().owns_starpu, "Frond has started StarPU itself");
    const SparseMatrix<double> a = poisson3d<double>(30).matrix;
    const index_t n = rank == 0 ? a.rows() : 0;
    CompressedView<double, count_t> view;
    view.rows = view.cols = a.rows();
    std::vector<count_t> begin = a.pattern.begin, index(a.pattern.row.begin(), a.pattern.row.end());
    if (rank != 0) begin.assign(begin.size(), 0);  // rank 0 has all of A
    view.begin = begin.data();
    view.index = index.data();
    view.value = a.value.data();
    view.symmetry = a.symmetry;
    view.stored = Triangle::lower;
    Solver<double> solver(session);
    std::vector<double> b(static_cast<std::size_t>(n), 1), x(b.size());
    for (int run = 0; run < 2; ++run) {
        solver.factor(view);
        const SolveReport report = solver.solve(BlockView<const double>{b.data(), n, 1, a.rows()},
                                                BlockView<double>{x.data(), n, 1, a.rows()});
        failures += expect(report.status == SolveStatus::converged, "the solve did not converge");
    }
    for (const RankReport& r : solver.rank_reports()) failures += expect(r.flops > 0, "a rank had nothing to do");
    return failures;
}

std::atomic<int> tasks_done{0};
void count_task(void**, void*) { ++tasks_done; }

/// Tasks of the application run before, during and after what Frond does.
int with_tasks(int rank) {
    starpu_conf conf = with_one_worker();
    if (starpu_init(&conf) != 0) return expect(false, "StarPU did not start");
    starpu_codelet codelet{};
    codelet.cpu_funcs[0] = count_task;
    codelet.cpu_funcs_name[0] = "count_task";
    codelet.name = "count_task";
    std::atomic<bool> ended{false};
    int submitted = 0;
    std::thread application([&] {
        while (!ended) {
            if (starpu_task_insert(&codelet, 0) == 0) ++submitted;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    int failures = factor_and_solve(MPI_COMM_WORLD, rank);
    ended = true;
    application.join();
    starpu_task_wait_for_all();
    failures += expect(submitted > 10 && tasks_done == submitted, "tasks of the application are missing");
    starpu_shutdown();
    return failures;
}

#ifdef FROND_WITH_STARPU_MPI
/// One vector goes to rank 1 and back, until rank 0 says with its first byte that this was the last time.
int send_around(int rank, const std::atomic<bool>& ended) {
    std::vector<unsigned char> data(size);
    starpu_data_handle_t handle = nullptr;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(data.data()), size, 1);
    int rounds = 0, wrong = 0;
    for (bool last = false; !last; ++rounds) {
        if (rank == 0) {
            starpu_data_acquire(handle, STARPU_W);
            data.assign(size, static_cast<unsigned char>(rounds % 200));
            data[0] = ended ? 255 : 0;
            last = data[0] == 255;
            starpu_data_release(handle);
            starpu_mpi_send(handle, 1, rounds, MPI_COMM_WORLD);
            starpu_mpi_recv(handle, 1, rounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            starpu_mpi_recv(handle, 0, rounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            starpu_mpi_send(handle, 0, rounds, MPI_COMM_WORLD);
        }
        starpu_data_acquire(handle, STARPU_R);
        last = data[0] == 255;
        for (int k = 1; k < size; ++k) wrong += data[static_cast<std::size_t>(k)] != rounds % 200;
        starpu_data_release(handle);
    }
    starpu_data_unregister(handle);
    return expect(wrong == 0, "a message of the application is wrong") +
           expect(rounds > 10, "the application had hardly a message under way");
}

int with_messages(int rank) {
    starpu_conf conf = with_one_worker();
    if (starpu_mpi_init_conf(nullptr, nullptr, 0, MPI_COMM_WORLD, &conf) != 0)
        return expect(false, "StarPU-MPI did not start");
    std::atomic<bool> ended{false};
    int of_messages = 0;
    std::thread application([&] { of_messages = send_around(rank, ended); });
    const int failures = factor_and_solve(MPI_COMM_WORLD, rank);
    ended = true;
    application.join();
    starpu_mpi_shutdown();
    return failures + of_messages;
}
#else
int with_messages(int) { return 77; }
#endif

}  // namespace

int main(int count, char** arguments) {
    int level = 0, rank = 0;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool messages = count > 1 && std::strcmp(arguments[1], "starpu_mpi") == 0;
    const int result = messages ? with_messages(rank) : with_tasks(rank);
    MPI_Finalize();
    return result;
}
