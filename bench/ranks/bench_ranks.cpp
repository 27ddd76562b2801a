// SPDX-License-Identifier: BSD-3-Clause
// One rank of a solver on one matrix; bench_compare --ranks starts N of these. With --until STEP only the steps up to that
// one are made, once each, so that the messages of the run are those of these steps.
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "load_matrix.hpp"
#include "measurement.hpp"
#include "test_system.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <stdexcept>

extern "C" void openblas_set_num_threads(int);

namespace {

using namespace frond::bench;
using nlohmann::json;

const std::vector<std::string> steps{"start", "analysis", "factorization"};

/// Keys of bytes: those of all ranks together, and of the rank that has most.
void add_ranks(json& result, int ranks) {
    double mine = result.value("peak_bytes", 0.0), sum = 0, largest = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    result["ranks"] = ranks;
    if (result.contains("error")) return;
    result["peak_bytes"] = sum;
    result["largest_peak_bytes"] = largest;
}

template <class T>
void run_steps(const RunRequest& request, const frond::SparseMatrix<T>& a, std::size_t last) {
    const std::vector<T> b = right_hand_sides(a, 1);
    std::vector<T> x(b.size());
    const Problem<T> problem{a, request.mode, b, x, request.threads};
    for (const PeerEntry& entry : peers()) {
        if (solver_name(request.solver) != entry.name) continue;
        const std::unique_ptr<Peer> peer = entry.make(problem);
        if (peer == nullptr) throw std::runtime_error("not for this mode or scalar");
        const std::vector<void (Peer::*)()> all{&Peer::start, &Peer::analyze, &Peer::factor};
        for (std::size_t k = 0; k <= last; ++k) (peer.get()->*all[k])();
    }
}

/// @return what rank 0 prints
json run_until(const RunRequest& request, const std::string& step) {
    const auto last = std::find(steps.begin(), steps.end(), step);
    if (last == steps.end()) throw std::runtime_error("--until start, analysis or factorization");
    openblas_set_num_threads(request.threads);
    std::visit(
        [&]<class T>(const frond::SparseMatrix<T>& a) {
            if constexpr (frond::is_built<T>())
                return run_steps(request, a, static_cast<std::size_t>(last - steps.begin()));
            throw std::runtime_error("this build leaves the scalar of the matrix out (FROND_SCALARS)");
        },
        load_matrix(request.matrix));
    return json::object();
}

int run(std::vector<std::string> arguments) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm world = MPI_COMM_WORLD;
    set_ranks_of_frond({&world, rank == 0});
    json result;
    if (arguments.size() > 1 && arguments[0] == "--until") {
        const RunRequest request = request_of({arguments.begin() + 2, arguments.end()});
        result = run_until(request, arguments[1]);
    } else {
        result = measure_here(request_of(arguments));
        add_ranks(result, ranks);
    }
    if (rank == 0) fmt::print("\n{}\n", result.dump());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return 2;
    int result = 2;
    try {
        result = run({argv + 1, argv + argc});
    } catch (const std::exception& e) {
        fmt::print(stderr, "bench_ranks: {}\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return result;
}
