// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include "frond/codelets/time_models.hpp"
#include "frond/solver.hpp"
#include "simulate/calibration_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace frond::cli {
namespace {

constexpr std::array<index_t, 9> tile_sizes{64, 96, 128, 160, 192, 256, 320, 384, 512};
/// Several tiles of the largest size, and still few of the smallest.
constexpr index_t dense_order = 1536;

/// Symmetric, definite since the diagonal dominates.
std::vector<double> dense_matrix() {
    const auto n = static_cast<std::size_t>(dense_order);
    std::vector<double> a(n * n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = j; i < n; ++i)
            a[i + j * n] = i == j ? static_cast<double>(n) : std::cos(static_cast<double>(i * (j + 1) % 1009));
    return a;
}

struct Sum {
    double flops = 0, seconds = 0;
};

void add_updates(const TimeSamples& samples, Sum& sum) {
    for (const auto& [kind, some] : samples) {
        if (!kind.starts_with("update_tile")) continue;
        for (const TimeSample& sample : some) {
            sum.flops += sample.work.flops;
            sum.seconds += sample.seconds;
        }
    }
}

TileRate rate_with(const Session& session, const std::vector<double>& a, index_t tile, int times) {
    AnalysisOptions options;
    options.factorization = Factorization::llt;
    options.tile_size = tile;
    Solver<double> solver(session, options);
    const DenseMatrixView<double> view{dense_order, a.data(), dense_order, Symmetry::symmetric, Triangle::lower};
    solver.factor(view);
    Sum sum;
    for (int k = 0; k < times; ++k) {
        record_times(true);
        solver.factor(view);
        record_times(false);
        add_updates(take_times(), sum);
    }
    return {tile, sum.seconds > 0 ? sum.flops / sum.seconds : 0};
}

std::vector<TileRate> measure_tiles(const Session& session, const TuneClock& clock) {
    const std::vector<double> a = dense_matrix();
    std::vector<TileRate> rates;
    for (const index_t tile : tile_sizes) {
        const auto status = clock.status(fmt::format("measuring kernels with tiles of {}", tile));
        rates.push_back(rate_with(session, a, tile, clock.passed() < 0.1 * clock.limit() ? 3 : 1));
    }
    return rates;
}

}  // namespace

Measurements measure_machine(const SessionOptions& options, const TuneClock& clock) {
    Measurements measured;
    measured.topology = read_topology();
    SessionOptions defaults = options, cores = options;
    defaults.tuning = cores.tuning = "off";
    cores.gpus = 0;
    {
        const Session session(defaults);
        const SessionInfo info = session.info();
        measured.machine = machine_kind(info.gpus);
        measured.workers = info.cpu_workers;
        if (info.gpus > 0) measured.workers_per_card = (info.cuda_workers + info.hip_workers) / info.gpus;
        measured.rates = measured_rates();
    }
    {
        const Session session(cores);
        measured.tile_rates = measure_tiles(session, clock);
    }
    const auto status = clock.status("measuring what a task takes in addition to its work");
    const TaskCost cost = measure_task_cost({{"generate:poisson2d:250", Factorization::llt}});
    measured.task_seconds = cost.worker_seconds;
    measured.submit_seconds = cost.submit_seconds;
    return measured;
}

}  // namespace frond::cli
