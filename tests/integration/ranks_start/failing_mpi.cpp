// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI fail, one in each case, and every rank must get a RuntimeError, within a time limit: FROND_TEST_MPI_FAULTS [40]
// cases, chosen by FROND_TEST_SEED [1]. FROND_TEST_MPI_FAULT=FUNCTION:RANK:K is one case alone.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/mpi.h"
#include "ranked/tree/sharing.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

enum Function : int {
    isend,
    irecv,
    test,
    testall,
    testsome,
    iallreduce,
    ibcast,
    ialltoall,
    idup,
    count,
    iprobe,
    commit,
    functions
};
constexpr std::array<const char*, functions> names{"MPI_Isend",     "MPI_Irecv",      "MPI_Test",   "MPI_Testall",
                                                   "MPI_Testsome",  "MPI_Iallreduce", "MPI_Ibcast", "MPI_Ialltoall",
                                                   "MPI_Comm_idup", "MPI_Get_count",  "MPI_Iprobe", "MPI_Type_commit"};

/// The calls of this rank since they were counted from 0, and which one of which function fails.
std::array<std::atomic<int>, functions> calls{};
std::atomic<int> failing{functions}, failing_call{0};
std::atomic<bool> has_failed{false};

bool fails(Function function) {
    const int call = ++calls[function];
    if (failing != function || failing_call != call) return false;
    has_failed = true;
    return true;
}

}  // namespace

// The plug-in calls these in place of the library's.
#define FROND_FAILING(name, function, parameters, arguments) \
    extern "C" int MPI_##name parameters { return fails(function) ? MPI_ERR_OTHER : PMPI_##name arguments; }
FROND_FAILING(Isend, isend, (const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* q),
              (b, n, t, d, g, c, q))
FROND_FAILING(Irecv, irecv, (void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* q),
              (b, n, t, d, g, c, q))
FROND_FAILING(Test, test, (MPI_Request * q, int* f, MPI_Status* s), (q, f, s))
FROND_FAILING(Testall, testall, (int n, MPI_Request* q, int* f, MPI_Status* s), (n, q, f, s))
FROND_FAILING(Testsome, testsome, (int n, MPI_Request* q, int* o, int* i, MPI_Status* s), (n, q, o, i, s))
FROND_FAILING(Iallreduce, iallreduce,
              (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* q),
              (a, b, n, t, o, c, q))
FROND_FAILING(Ibcast, ibcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request* q), (b, n, t, r, c, q))
FROND_FAILING(Ialltoall, ialltoall,
              (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* q),
              (a, n, t, b, m, u, c, q))
FROND_FAILING(Comm_idup, idup, (MPI_Comm a, MPI_Comm* b, MPI_Request* q), (a, b, q))
FROND_FAILING(Get_count, count, (const MPI_Status* s, MPI_Datatype t, int* n), (s, t, n))
FROND_FAILING(Iprobe, iprobe, (int r, int g, MPI_Comm c, int* f, MPI_Status* s), (r, g, c, f, s))
FROND_FAILING(Type_commit, commit, (MPI_Datatype * t), (t))

namespace {

struct Fault {
    int function = functions, rank = 0, call = 0;
    bool from_start = false;  // while the session and the solver are made; else afterwards
};

void begin(const Fault& fault, int rank) {
    for (auto& number : calls) number = 0;
    failing_call = fault.call;
    failing = fault.rank == rank ? fault.function : functions;
}

/// Ends all ranks where a case takes too long.
class TimeLimit {
public:
    explicit TimeLimit(const Fault& fault) : fault_(fault), thread_([this] { run(); }) {}
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;
    ~TimeLimit() {
        is_over_ = true;
        thread_.join();
    }

private:
    void run() {
        using namespace std::chrono_literals;
        for (int k = 0; k < 6000; ++k, std::this_thread::sleep_for(10ms))
            if (is_over_) return;
        std::fprintf(stderr, "after a minute some rank still waits: call %d of %s on rank %d\n", fault_.call,
                     fault_.function < functions ? names[static_cast<std::size_t>(fault_.function)] : "nothing",
                     fault_.rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    Fault fault_;
    std::atomic<bool> is_over_{false};
    std::thread thread_;
};

/// A session, a factorization, new values and a solve; all of A, B and X is with rank 0. The message of the error, or "".
std::string run(const Fault& fault, int rank) {
    static const frond::SparseMatrix<double> whole = frond::poisson3d<double>(12).matrix;
    frond::SparseMatrix<double> a = whole;
    if (rank > 0) {
        a.pattern.begin.assign(a.pattern.begin.size(), 0);
        a.pattern.row.clear();
        a.value.clear();
    }
    const frond::count_t rows = rank == 0 ? a.rows() : 0;
    std::vector<double> b(static_cast<std::size_t>(rows), 1.0), x(b.size());
    std::string message;
    if (fault.from_start) begin(fault, rank);
    try {
        const MPI_Comm world = MPI_COMM_WORLD;
        frond::SessionOptions options;
        options.cpu_workers = 1;
        options.communicator = &world;
        const frond::Session session(options);
        frond::Solver<double> solver(session);
        if (!fault.from_start) begin(fault, rank);
        try {
            solver.factor(a);
            solver.factor_values(a.value);
            static_cast<void>(
                solver.solve(frond::BlockView<const double>{b.data(), rows}, frond::BlockView<double>{x.data(), rows}));
        } catch (const frond::RuntimeError& error) {
            message = error.what();
        }
        failing = functions;  // destructors do not throw
    } catch (const frond::RuntimeError& error) {
        message = error.what();
    }
    failing = functions;
    return message;
}

int sum_of_ranks(int mine) {
    int sum = 0;
    PMPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/// Whether all ranks end as they must.
bool holds(const Fault& fault, int rank, int ranks) {
    const TimeLimit limit(fault);
    has_failed = false;
    const std::string message = run(fault, rank);
    const bool any_failed = sum_of_ranks(has_failed ? 1 : 0) > 0;
    const int errors = sum_of_ranks(message.empty() ? 0 : 1);
    if (errors == (any_failed ? ranks : 0)) return true;
    std::fprintf(stderr, "rank %d, call %d of %s on rank %d: %s'%s'\n", rank, fault.call,
                 names[static_cast<std::size_t>(fault.function)], fault.rank, any_failed ? "it has failed; " : "",
                 message.c_str());
    return false;
}

int number_of(const char* variable, int otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : otherwise;
}

int check_faults(int rank, int ranks) {
    frond::detail::share_always() = true;
    if (!run({}, rank).empty()) return 1;
    std::array<int, functions> made{};
    for (std::size_t f = 0; f < functions; ++f) made[f] = calls[f];
    PMPI_Bcast(made.data(), functions, MPI_INT, 0, MPI_COMM_WORLD);
    std::mt19937 random(static_cast<unsigned>(number_of("FROND_TEST_SEED", 1)));
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    const int cases = number_of("FROND_TEST_MPI_FAULTS", 40);
    bool all_hold = true;
    for (int k = 0; k < cases; ++k) {
        const int function = k % functions, most = std::max(made[static_cast<std::size_t>(function)], 1);
        all_hold = holds({function, below(ranks), 1 + below(most)}, rank, ranks) && all_hold;
    }
    // The last one: Open MPI makes no communicators after one that could not be finished.
    constexpr std::array<int, 4> of_start{idup, ialltoall, iprobe, test};
    all_hold = holds({of_start[static_cast<std::size_t>(below(4))], below(ranks), 1 + below(4), true}, rank, ranks) &&
               all_hold;
    return all_hold ? 0 : 1;
}

int check(int rank, int ranks) {
    const char* const one = std::getenv("FROND_TEST_MPI_FAULT");
    if (one == nullptr) return check_faults(rank, ranks);
    frond::detail::share_always() = true;
    const std::string text = one;
    const auto name_end = text.find(':'), rank_end = text.rfind(':');
    Fault fault;
    fault.from_start = true;
    for (std::size_t f = 0; f < functions; ++f)
        if (text.substr(0, name_end) == names[f]) fault.function = static_cast<int>(f);
    fault.rank = std::atoi(text.substr(name_end + 1).c_str());
    fault.call = std::atoi(text.substr(rank_end + 1).c_str());
    return holds(fault, rank, ranks) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int level = 0, rank = 0, ranks = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int result = check(rank, ranks);
    MPI_Finalize();
    return result;
}
