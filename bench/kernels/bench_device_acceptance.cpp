// SPDX-License-Identifier: BSD-3-Clause
// accept_pivots on a card, through StarPU: where every pivot stays and no column has failed, so that only the pivots
// are read; and beside failed columns, for which the panel goes to the host and comes back.
#include "bench_kernels.hpp"
#include "device_tasks.hpp"
#include "frond/base/instantiate.hpp"
#include "panel_problem.hpp"
#include "tasks/pivots/accept_pivots.hpp"

#include <cstdio>
#include <string>

namespace frond::bench {

namespace {

/// A panel over one tile, as a front of its own, with the buffers of its task.
template <class T>
class AcceptTask {
public:
    AcceptTask(bool symmetric, index_t n, index_t failed) : problem(symmetric, n, failed), record_(record_of(problem)) {
        grid_.cut = {0, n, 2 * n};
        grid_.own_tiles = 1;
        outcome_.begin(n);
        arguments_.kind = problem.kind();
        arguments_.rule = threshold_rule();
        arguments_.grid = &grid_;
        task_.add(problem.diagonal.view(), STARPU_RW);
        task_.add_record<T>(record_, n, outcome_, STARPU_RW);
        task_.add_object(problem.failed, STARPU_RW);
        task_.add(problem.left.view(), STARPU_RW);
        task_.add(problem.spare.view(), STARPU_RW);
        if (!symmetric) task_.add(problem.upper.view(), STARPU_RW);
    }

    /// No column has failed: run after run is the same.
    double median_seconds() { return task_.median_seconds_of(accept_pivots_codelet<T>(), arguments_); }

    /// Pending columns as they were before each run.
    double median_seconds_restoring() {
        return median_after_first([&] {
            problem.failed = problem.start;
            return task_.seconds_of(accept_pivots_codelet<T>(), arguments_, 1);
        });
    }

    /// The error of the failed columns after the last run.
    double error() {
        task_.fetch();
        return problem.error();
    }

    /// What goes to the host: pivots alone, or the panel, there and back.
    double pivot_bytes() const {
        const double diagonal = problem.symmetric ? 0 : static_cast<double>(problem.n) * sizeof(T);
        return static_cast<double>(record_.size()) + diagonal;
    }
    double panel_bytes() const {
        const double square = static_cast<double>(problem.n) * problem.n * sizeof(T);
        return 2 * (static_cast<double>(record_.size()) + square * (problem.symmetric ? 3 : 4));
    }
    index_t kept() const { return outcome_.kept; }

    PanelProblem<T> problem;

private:
    static std::vector<unsigned char> record_of(const PanelProblem<T>& p) {
        std::vector<unsigned char> bytes(at(PivotRecord<T>::bytes(p.n)));
        const auto record = PivotRecord<T>::at(bytes.data(), p.n);
        std::copy(p.perm.begin(), p.perm.end(), record.perm);
        std::copy(p.pivots.begin(), p.pivots.end(), record.pivots);
        std::copy(p.replaced.begin(), p.replaced.end(), record.replaced);
        return bytes;
    }

    std::vector<unsigned char> record_;
    TileGrid grid_;
    PivotOutcome outcome_;
    AcceptPivotsArguments<T> arguments_;
    DeviceTask task_;  // last: its handles go before what they are of
};

template <class T>
void bench_acceptance_of(bool symmetric, index_t n, Run& run) {
    constexpr index_t failed = 32;
    const std::string kind = symmetric ? "L D L^T" : "L U";
    AcceptTask<T> easy(symmetric, n, 0);
    const double seconds = easy.median_seconds();
    if (easy.kept() != n) ++run.wrong;  // a dominant panel keeps all its columns
    print_device_rate(("accept_pivots, " + kind).c_str(), n, easy.pivot_bytes(), "GB/s", seconds, 0);
    AcceptTask<T> hard(symmetric, n, failed);
    const double seconds_there = hard.median_seconds_restoring();
    if (hard.kept() != n) ++run.wrong;
    print_device_rate(("accept on host, " + kind).c_str(), n, hard.panel_bytes(), "GB/s", seconds_there,
                      run.checked<T>(hard.error(), n));
}

}  // namespace

template <class T>
void bench_device_acceptance(const char* scalar, Run& run) {
    std::printf("\naccept_pivots on the card, %s: without failed columns, and by the host with 32 of them\n", scalar);
    for (const index_t n : {128, 256, 512, 1024}) {
        if (!run.takes(n)) continue;
        bench_acceptance_of<T>(true, n, run);
        bench_acceptance_of<T>(false, n, run);
    }
}

#define FROND_INSTANTIATE(T) template void bench_device_acceptance<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
