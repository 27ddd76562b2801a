// SPDX-License-Identifier: BSD-3-Clause
// Dense systems: the rate of L U, L L^T and L D L^T beside that of dgemm on as many threads, in the same process and in
// turns, and what pivoting did.
#include <cblas.h>
#include <sys/resource.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "frond/frond.hpp"
#include "run_facts.hpp"

namespace {

using namespace frond;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The processor time of all threads of this process.
double cpu_seconds() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// Flops a second by the clock, and for each second of processor time, which other programs do not disturb as much.
struct Rate {
    double by_clock = 0, by_processor = 0;
};

/// The rate of products of order n by OpenBLAS, one product a thread on one core each.
Rate gemm_rate(index_t threads, blasint n) {
    constexpr double least_seconds = 2;
    openblas_set_num_threads(1);
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    std::vector<std::vector<double>> a(static_cast<std::size_t>(threads), std::vector<double>(size, 1e-3)), c = a;
    std::vector<double> done(static_cast<std::size_t>(threads), 0.0);
    const Clock::time_point start = Clock::now();
    const double processor = cpu_seconds();
    const auto run = [&](std::size_t t) {
        while (seconds_since(start) < least_seconds) {
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, -1, a[t].data(), n, a[t].data(), n, 1,
                        c[t].data(), n);
            done[t] += 2.0 * n * n * n;
        }
    };
    std::vector<std::thread> pool;
    for (index_t t = 0; t < threads; ++t) pool.emplace_back(run, static_cast<std::size_t>(t));
    for (std::thread& t : pool) t.join();
    double flops = 0;
    for (const double of_thread : done) flops += of_thread;
    return {flops / seconds_since(start), flops / (cpu_seconds() - processor)};
}

std::vector<double> make(const std::string& name, count_t n, bool definite) {
    std::vector<double> a(static_cast<std::size_t>(n * n));
    std::mt19937_64 random(7);
    const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    const auto entry = [&a, n](count_t i, count_t j) -> double& { return a[static_cast<std::size_t>(i + j * n)]; };
    if (name == "random" || name == "symmetric") {
        for (double& x : a) x = uniform();
    } else if (name == "orthogonal") {  // of the sine transform
        const double h = 3.14159265358979323846 / static_cast<double>(n + 1),
                     f = std::sqrt(2.0 / static_cast<double>(n + 1));
        for (count_t j = 0; j < n; ++j)
            for (count_t i = 0; i < n; ++i)
                entry(i, j) = f * std::sin(h * static_cast<double>((i + 1) * (j + 1) % (2 * n + 2)));
    } else if (name == "wilkinson") {  // growth 2^(n - 1) of partial pivoting, were it not for a small last column
        for (count_t j = 0; j < n; ++j)
            for (count_t i = j; i < n; ++i) entry(i, j) = i == j ? 1 : -1;
        for (count_t i = 0; i < n; ++i) entry(i, n - 1) = 1;
    } else if (name == "reversed") {  // a random matrix with a dominant diagonal, columns from the last to the first
        for (double& x : a) x = uniform();
        for (count_t i = 0; i < n; ++i) entry(i, n - 1 - i) += static_cast<double>(n);
    } else if (name == "shifted") {  // only rows far away have pivots
        for (double& x : a) x = 1e-3 * uniform();
        for (count_t i = 0; i < n; ++i) entry((i + n / 2) % n, i) += 1;
    } else {
        throw InvalidArgument("there is no matrix " + name);
    }
    if (definite)
        for (count_t i = 0; i < n; ++i) entry(i, i) = static_cast<double>(n);
    return a;
}

struct Request {
    std::string matrix = "random", kind = "lu";
    index_t n = 2000, rounds = 3, rhs = 1, tile = 0, workers = 0, gemm = 2000;
};

int run(const Request& request) {
    SessionOptions session_options;
    if (request.workers > 0) session_options.cpu_workers = request.workers;
    const Session session(session_options);
    AnalysisOptions options;
    options.tile_size = request.tile;
    options.factorization = request.kind == "lu"    ? Factorization::lu
                            : request.kind == "llt" ? Factorization::llt
                                                    : Factorization::ldlt;
    const bool symmetric = options.factorization != Factorization::lu;
    const std::vector<double> a = make(request.matrix, request.n, options.factorization == Factorization::llt);
    DenseMatrixView<double> view{request.n, a.data()};
    if (symmetric) view.symmetry = Symmetry::symmetric;
    Solver<double> solver(session, options);
    const index_t threads = session.info().cpu_workers;
    fmt::print("{}\n{} {}, n = {}, {} threads\n", bench::run_facts().dump(), request.kind, request.matrix, request.n,
               threads);
    fmt::print(
        "Gflop/s by the clock, and a second of processor "
        "time\n{:>10}{:>10}{:>8}{:>8}{:>10}{:>8}{:>8}{:>9}{:>8}{:>8}{:>6}{:>10}\n",
        "factor s", "Gflop/s", "dgemm", "ratio", "processor", "dgemm", "ratio", "solve s", "second", "|l|", "steps",
        "error");
    const auto size = static_cast<std::size_t>(request.n) * static_cast<std::size_t>(request.rhs);
    double worst = 0;
    for (index_t round = 0; round < request.rounds; ++round) {
        const Rate gemm = gemm_rate(threads, request.gemm);
        const double processor = cpu_seconds();
        const FactorReport& f = solver.factor(view);
        const double used = cpu_seconds() - processor, flops = solver.analysis()->cost.flops;
        std::vector<double> b(size, 1.0), x(size);
        const SolveReport s =
            solver.solve({b.data(), request.n, request.rhs}, BlockView<double>{x.data(), request.n, request.rhs});
        worst = std::max(worst, s.componentwise_backward_error);
        fmt::print("{:>10.3f}{:>10.1f}{:>8.1f}{:>8.3f}{:>10.1f}{:>8.1f}{:>8.3f}{:>9.3f}{:>8}{:>8.1f}{:>6}{:>10.1e}\n",
                   f.seconds, flops / f.seconds * 1e-9, gemm.by_clock * 1e-9, flops / f.seconds / gemm.by_clock,
                   flops / used * 1e-9, gemm.by_processor * 1e-9, flops / used / gemm.by_processor, s.seconds,
                   f.pivots.second_pass, f.pivots.largest_l, s.refinement_steps, s.componentwise_backward_error);
        std::fflush(stdout);
    }
    const FactorReport& f = solver.factor_report();
    fmt::print("bytes: factors {}, peak {}, predicted {}; A {}\n", f.memory.factor_bytes, f.memory.peak_bytes,
               f.memory.peak_bytes_predicted, a.size() * sizeof(double));
    return worst < 1e-10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    Request request;
    CLI::App app("Dense factorizations beside dgemm, in turns");
    app.add_option("n", request.n, "order")->check(CLI::PositiveNumber);
    app.add_option("--kind", request.kind, "factorization")->check(CLI::IsMember({"lu", "llt", "ldlt"}));
    app.add_option("--matrix", request.matrix, "entries")
        ->check(CLI::IsMember({"random", "symmetric", "orthogonal", "wilkinson", "reversed", "shifted"}));
    app.add_option("--rounds", request.rounds, "factorizations")->check(CLI::PositiveNumber);
    app.add_option("--rhs", request.rhs, "right-hand sides")->check(CLI::PositiveNumber);
    app.add_option("--tile", request.tile, "order of tiles, 0: automatic")->check(CLI::NonNegativeNumber);
    app.add_option("--workers", request.workers, "cores, 0: all")->check(CLI::NonNegativeNumber);
    app.add_option("--gemm", request.gemm, "order of the products")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    return run(request);
} catch (const std::exception& e) {
    fmt::print(stderr, "bench_dense: {}\n", e.what());
    return 2;
}
