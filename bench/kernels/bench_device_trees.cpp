// SPDX-License-Identifier: BSD-3-Clause
// Subtrees as tasks on a card, one at a time and some at once, and whole trees without tasks.
#include "bench_kernels.hpp"
#include "device_tasks.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "tasks/factor_subtree/factor_subtree.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

namespace frond::bench {

namespace {

template <class T>
AnalysisResult analysed(const SparseMatrix<T>& a, Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.matching = MatchingMode::off;
    options.scaling = ScalingMethod::none;
    return analyze(a, options);
}

/// A whole matrix as one subtree, and what the task of it reads and writes.
template <class T>
class SubtreeTask {
public:
    SubtreeTask(const SparseMatrix<T>& a, const std::shared_ptr<const Analysis>& analysis)
        : analysis_(analysis),
          subtree_{0, analysis->tree.front_count() - 1, 0, 0, 0},
          factor_(
              static_cast<std::size_t>(cpu::subtree_factor_scalars(analysis->tree, subtree_, analysis->factorization))),
          perm_(static_cast<std::size_t>(analysis->order)) {
        pivots_.perm = perm_;
        for (const count_t s : analysis->entry_map.source)
            entries_.push_back(a.value[static_cast<std::size_t>(s >= 0 ? s : ~s)]);
        task_.add(factor_, STARPU_W);
        task_.add(entries_, STARPU_R);
        task_.add_object(pivots_, STARPU_W);
        arguments_.analysis = analysis_.get();
        arguments_.subtree = &subtree_;
    }

    double median_seconds() { return task_.median_seconds_of(factor_subtree_codelet<T>(), arguments_); }

    /// Of all tasks, submitted together.
    static double median_seconds(std::vector<std::unique_ptr<SubtreeTask>>& tasks) {
        return median_after_first([&] {
            starpu_codelet codelet = factor_subtree_codelet<T>();
            codelet.where = device_workers;
            const double start = wall_seconds();
            Job job;
            for (auto& each : tasks) each->task_.submit(job, codelet, each->arguments_);
            job.wait();
            return wall_seconds() - start;
        });
    }

    /// Relative difference of the determinant's logarithm from that of a core.
    double error() {
        PivotReport core;
        task_.seconds_of(factor_subtree_codelet<T>(), arguments_, 1);
        const PivotReport& device = pivots_.outcome.counts;
        std::vector<T> factor(factor_.size()),
            arena(static_cast<std::size_t>(
                cpu::subtree_arena_scalars(analysis_->tree, subtree_, analysis_->factorization)));
        cpu::factor_subtree<T>(*analysis_, subtree_, entries_.data(), {}, factor.data(), perm_.data(),
                               {nullptr, 0, 0, 1}, arena.data(), nullptr, nullptr, core);
        return std::abs(device.log_abs_determinant / core.log_abs_determinant - 1);
    }

private:
    std::shared_ptr<const Analysis> analysis_;
    Subtree subtree_;
    std::vector<T> factor_, entries_;
    std::vector<index_t> perm_;
    cpu::SubtreePivots<T> pivots_;
    SubtreeArguments arguments_;
    DeviceTask task_;
};

template <class T>
void bench_subtree(const char* name, const SparseMatrix<T>& a, Factorization kind, Run& run) {
    const auto analysis = analysed(a, kind).analysis;
    const double flops = analysis->cost.flops * (is_complex<T> ? 4 : 1);
    std::vector<std::unique_ptr<SubtreeTask<T>>> tasks;
    for (int k = 0; k < 5; ++k) tasks.push_back(std::make_unique<SubtreeTask<T>>(a, analysis));
    const double error = run.checked<T>(tasks[0]->error(), a.rows());
    print_device_rate(name, a.rows(), flops, "Gflop/s", tasks[0]->median_seconds(), error);
    const double together = SubtreeTask<T>::median_seconds(tasks);
    print_device_rate((std::string(name) + ", 5 at once").c_str(), a.rows(), 5 * flops, "Gflop/s", together, error);
}

/// One substitution with so many right-hand sides; refinement makes several.
template <class T>
void bench_substitution(const char* name, const Factors<T>& factors, index_t rhs, Run& run) {
    const index_t n = factors.analysis().order;
    std::vector<T> b(static_cast<std::size_t>(n) * static_cast<std::size_t>(rhs), T(1)), x(b);
    SolveReport solved;
    SolveOptions on_device;
    on_device.place = SolvePlace::device;
    const double seconds = median_after_first([&] {
        solved = solve<T>(factors, {b.data(), n, rhs, n}, {x.data(), n, rhs, n}, on_device);
        return solved.substitution_seconds / (1 + solved.refinement_steps);
    });
    const double error = run.checked<T>(solved.componentwise_backward_error, 1);
    const double flops =
        4.0 * (is_complex<T> ? 4 : 1) * static_cast<double>(factors.report().memory.factor_entries) * rhs;
    const std::string text = std::string(name) + ", substitution with " + std::to_string(rhs);
    print_device_rate(text.c_str(), n, flops, "Gflop/s", seconds, error);
}

/// Without tasks, from values in host memory to factors on the card; then one solve with refinement.
template <class T>
void bench_whole_tree(const char* name, const SparseMatrix<T>& a, Factorization kind, Run& run) {
    const AnalysisResult result = analysed(a, kind);
    FactorOptions options;
    options.place = FactorPlace::device;
    Factors<T> factors;
    const double seconds = median_after_first([&] {
        factors = Factors<T>();
        factors = factorize(device_session(), result.analysis, a, options, &result.scaling);
        return factors.report().seconds;
    });
    std::vector<T> b(static_cast<std::size_t>(a.rows()), T(1)), x(b);
    SolveReport solved;
    SolveOptions on_device;
    on_device.place = SolvePlace::device;
    const double solve_seconds = median_after_first([&] {
        solved = solve<T>(factors, {b.data(), a.rows()}, {x.data(), a.rows()}, on_device);
        return solved.seconds;
    });
    const double error = run.checked<T>(solved.componentwise_backward_error, 1);
    print_device_rate(name, a.rows(), factors.report().work.flops, "Gflop/s", seconds, error);
    // A substitution reads the factors once forward and once backward, each step of refinement once more.
    const double bytes =
        2.0 * static_cast<double>(factors.report().memory.factor_bytes) * (1 + solved.refinement_steps);
    print_device_rate((std::string(name) + ", solve").c_str(), a.rows(), bytes, "GB/s", solve_seconds, error);
    for (const index_t rhs : {8, 16, 64}) bench_substitution<T>(name, factors, rhs, run);
}

}  // namespace

template <class T>
void bench_device_trees(const char* scalar, Run& run) {
    std::printf("\nsubtrees as tasks on the card, %s\n", scalar);
    constexpr Factorization definite = is_complex<T> ? Factorization::ldlt : Factorization::llt;
    const char* const symmetric = is_complex<T> ? "L D L^T" : "L L^T";
    for (const index_t n : {12, 20, 30}) {
        if (!run.takes(n * n * n)) continue;
        bench_subtree<T>(symmetric, poisson3d<T>(n).matrix, definite, run);
        bench_subtree<T>("L U", poisson3d<T>(n).matrix, Factorization::lu, run);
    }
    std::printf("\nwhole trees on the card, %s\n", scalar);
    for (const index_t n : {20, 40, 60}) {
        if (!run.takes(n * n * n)) continue;
        bench_whole_tree<T>(symmetric, poisson3d<T>(n).matrix, definite, run);
        bench_whole_tree<T>("L U", poisson3d<T>(n).matrix, Factorization::lu, run);
    }
}

#define FROND_INSTANTIATE(T) template void bench_device_trees<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
