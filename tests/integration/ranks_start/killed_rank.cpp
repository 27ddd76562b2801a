// SPDX-License-Identifier: BSD-3-Clause
// Some ranks that analyse, factor or solve again and again until one of them is killed: PHASE RANK. Each first writes its
// process number into pid.RANK of the working folder. Nothing here ends the others.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/mpi.h"
#include "ranked/tree/sharing.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Ranks {
    MPI_Comm world = MPI_COMM_WORLD;
    int rank = 0;
};

/// All of A, B and X is with rank 0.
class System {
public:
    explicit System(const Ranks& ranks) : a_(frond::poisson3d<double>(16).matrix), solver_(session(ranks)) {
        if (ranks.rank > 0) a_ = without_entries(a_);
        const std::size_t rows = ranks.rank == 0 ? static_cast<std::size_t>(a_.rows()) : 0;
        b_.assign(rows, 1.0);
        x_.assign(rows, 0.0);
    }

    void analyze() { solver_.analyze(a_); }
    void factor() { solver_.factor(a_); }
    void solve() {
        const auto rows = static_cast<frond::count_t>(b_.size());
        static_cast<void>(
            solver_.solve(frond::BlockView<const double>{b_.data(), rows}, frond::BlockView<double>{x_.data(), rows}));
    }

private:
    static frond::Session session(const Ranks& ranks) {
        frond::SessionOptions options;
        options.cpu_workers = 1;
        options.communicator = &ranks.world;
        return frond::Session(options);
    }
    static frond::SparseMatrix<double> without_entries(frond::SparseMatrix<double> a) {
        a.pattern.begin.assign(a.pattern.begin.size(), 0);
        a.pattern.row.clear();
        a.value.clear();
        return a;
    }

    frond::SparseMatrix<double> a_;
    frond::Solver<double> solver_;
    std::vector<double> b_, x_;
};

void kill_soon() {
    std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        std::raise(SIGKILL);
    }).detach();
}

template <class Phase>
[[noreturn]] void repeat(bool is_victim, const Phase& phase) {
    if (is_victim) kill_soon();
    for (;;) phase();
}

int run(const std::string& phase, int victim) {
    Ranks ranks;
    MPI_Comm_rank(ranks.world, &ranks.rank);
    std::ofstream("pid." + std::to_string(ranks.rank)) << getpid() << std::endl;
    frond::detail::share_always() = true;
    System system(ranks);
    system.factor();
    system.solve();
    MPI_Barrier(ranks.world);
    const bool is_victim = ranks.rank == victim;
    if (phase == "analysis") repeat(is_victim, [&] { system.analyze(); });
    if (phase == "factorization") repeat(is_victim, [&] { system.factor(); });
    if (phase == "solve") repeat(is_victim, [&] { system.solve(); });
    std::fprintf(stderr, "which phase? analysis, factorization or solve\n");
    return 2;
}

}  // namespace

int main(int count, char** arguments) {
    int level = 0;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    try {
        return run(count > 2 ? arguments[1] : "", count > 2 ? std::atoi(arguments[2]) : 0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;  // without MPI_Finalize: the launcher ends the others
    }
}
