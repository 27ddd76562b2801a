// SPDX-License-Identifier: BSD-3-Clause
// Programs that start MPI in another way, each alone and by its own test (tests/CMakeLists.txt).
#include "frond/frond.hpp"
#include "frond/mpi.h"

#include <cstdio>
#include <cstring>
#include <optional>

namespace {

int check(bool right, const char* what, const char* text) {
    if (!right) std::fprintf(stderr, "%s: %s\n", what, text);
    return right ? 0 : 1;
}

frond::SessionOptions on(const MPI_Comm& communicator) {
    frond::SessionOptions options;
    options.cpu_workers = 1;
    options.communicator = &communicator;
    return options;
}

/// Less than MPI_THREAD_MULTIPLE is refused, with the level.
int with_one_thread() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) return MPI_Finalize();  // some libraries give more than was asked for
    const MPI_Comm world = MPI_COMM_WORLD;
    int result = 1;
    try {
        const frond::Session session(on(world));
    } catch (const frond::RuntimeError& error) {
        const char* const name = level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_";
        result = check(std::strstr(error.what(), name) != nullptr, "the level is not named", error.what());
    }
    MPI_Finalize();
    return result;
}

int without_mpi() {
    const MPI_Comm world = MPI_COMM_WORLD;
    try {
        const frond::Session session(on(world));
    } catch (const frond::RuntimeError& error) {
        return check(std::strstr(error.what(), "MPI is not running") != nullptr, "another reason", error.what());
    }
    return 1;
}

/// MPI ends before the session: no call of MPI any more, but an error.
int after_the_end() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
    const MPI_Comm world = MPI_COMM_WORLD;
    std::optional<frond::Solver<double>> solver;
    solver.emplace(frond::Session(on(world)));
    MPI_Finalize();
    const int zero = 0;
    const double one = 1;
    int result = 1;
    try {
        solver->factor(frond::TripletView<double>{1, 1, 1, &zero, &zero, &one});
    } catch (const frond::RuntimeError& error) {
        result = check(std::strstr(error.what(), "MPI is not running") != nullptr, "another reason", error.what());
    }
    solver.reset();
    return result;
}

}  // namespace

int main(int count, char** arguments) {
    const char* const name = count > 1 ? arguments[1] : "";
    if (std::strcmp(name, "one_thread") == 0) return with_one_thread();
    if (std::strcmp(name, "without_mpi") == 0) return without_mpi();
    if (std::strcmp(name, "after_the_end") == 0) return after_the_end();
    std::fprintf(stderr, "which? one_thread, without_mpi or after_the_end\n");
    return 2;
}
