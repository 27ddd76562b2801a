// SPDX-License-Identifier: BSD-3-Clause
// Whole trees by factor_subtree, and the substitution with their factors, on model problems.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "measure.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace frond::bench {

namespace {

/// One matrix as one subtree, with its buffers.
template <class T>
class TreeProblem {
public:
    TreeProblem(const SparseMatrix<T>& a, Factorization kind, double threshold)
        : analysis_(analyze(a, options_for(kind)).analysis),
          subtree_{0, analysis_->tree.front_count() - 1, 0, 0, 0},
          factor_(size(cpu::subtree_factor_scalars(analysis_->tree, subtree_, kind))),
          arena_(size(cpu::subtree_arena_scalars(analysis_->tree, subtree_, kind))),
          perm_(size(analysis_->order)) {
        rule_.threshold = threshold;
        rule_.smallest_pivot = threshold > 0 ? 1 : 0;
        for (const count_t s : analysis_->entry_map.source)
            entries_.push_back(s >= 0                              ? a.value[size(s)]
                               : a.symmetry == Symmetry::hermitian ? conjugate(a.value[size(~s)])
                                                                   : a.value[size(~s)]);
        ones_image_ = image_of_ones(a);
    }

    index_t order() const { return analysis_->order; }
    index_t fronts() const { return analysis_->tree.front_count(); }
    double flops() const { return analysis_->cost.flops * (is_complex<T> ? 4 : 1); }
    double factor_bytes() const { return static_cast<double>(analysis_->cost.factor_entries) * sizeof(T); }

    void factor() {
        PivotReport report;
        cpu::factor_subtree<T>(*analysis_, subtree_, entries_.data(), rule_, factor_.data(), perm_.data(),
                               {nullptr, 0, 0, 1}, arena_.data(), nullptr, &second_passes_, report);
    }

    void forward(Block<T>& x) { pass(cpu::forward_subtree<T>, x); }
    void diagonal(Block<T>& x) {
        cpu::diagonal_subtree<T>(*analysis_, subtree_, Operation::none, factor_.data(), &second_passes_, x.view());
    }
    void backward(Block<T>& x) { pass(cpu::backward_subtree<T>, x); }

    /// max |x - 1| of the solution of A x = A (1, ..., 1).
    double error() {
        Block<T> x(order(), 1);
        std::copy(ones_image_.begin(), ones_image_.end(), x.values.begin());
        forward(x);
        diagonal(x);
        backward(x);
        double worst = 0;
        for (index_t k = 0; k < order(); ++k) worst = std::max<double>(worst, std::abs(x.values[size(k)] - T(1)));
        return worst;
    }

private:
    static std::size_t size(count_t n) { return static_cast<std::size_t>(n); }

    static AnalysisOptions options_for(Factorization kind) {
        AnalysisOptions options;
        options.factorization = kind;
        options.matching = MatchingMode::off;
        options.scaling = ScalingMethod::none;
        return options;
    }

    std::vector<T> image_of_ones(const SparseMatrix<T>& a) const {
        std::vector<T> image(a.value.size() > 0 ? size(order()) : 0, T(0)), permuted(image);
        const bool half = a.symmetry != Symmetry::general;
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[size(j)]; e < a.pattern.begin[size(j) + 1]; ++e) {
                const index_t i = a.pattern.row[size(e)];
                const T value = a.value[size(e)];
                image[size(i)] += value;
                if (half && i != j) image[size(j)] += a.symmetry == Symmetry::hermitian ? conjugate(value) : value;
            }
        for (std::size_t k = 0; k < image.size(); ++k) permuted[k] = image[size(analysis_->row_order[k])];
        return permuted;
    }

    template <class Pass>
    void pass(Pass substitute, Block<T>& x) {
        std::vector<T>& arena = solve_arena_;
        arena.resize(size(cpu::subtree_solve_scalars(analysis_->tree, subtree_, x.cols)) + 1);
        substitute(*analysis_, subtree_, Operation::none, factor_.data(), perm_.data(), &second_passes_, x.view(),
                   {nullptr, 0, x.cols, 1}, arena.data());
    }

    std::shared_ptr<const Analysis> analysis_;
    Subtree subtree_;
    std::vector<T> factor_, arena_, solve_arena_, entries_, ones_image_;
    std::vector<index_t> perm_;
    cpu::SubtreeSecondPasses<T> second_passes_;
    PivotRule rule_;
};

template <class T>
void bench_tree(const char* name, const SparseMatrix<T>& a, Factorization kind, double threshold, Run& run) {
    TreeProblem<T> problem(a, kind, threshold);
    problem.factor();
    const double error = run.checked<T>(problem.error(), problem.order());
    const double factor = median_seconds([&] { problem.factor(); });
    std::printf("  %-16s order %6d fronts %5d: factor %6.1f Gflop/s", name, problem.order(), problem.fronts(),
                problem.flops() / factor * 1e-9);
    for (const index_t nrhs : {1, 16}) {
        Block<T> x(problem.order(), nrhs);  // zeros stay zeros: the times do not depend on values
        const double passes = median_seconds([&] {
            problem.forward(x);
            problem.backward(x);
        });
        const bool memory = nrhs == 1;
        const double per_column = problem.factor_bytes() * (kind == Factorization::lu ? 1 : 2);
        const double rate = memory ? per_column : per_column / sizeof(T) * flops_per_product<T>() * nrhs;
        std::printf(", %d rhs %6.1f %s", nrhs, rate / passes * 1e-9, memory ? "GB/s" : "Gflop/s");
    }
    std::printf("   error %.0e\n", error);
    std::fflush(stdout);
}

}  // namespace

template <class T>
void bench_subtrees(const char* scalar, Run& run) {
    std::printf("\nwhole subtrees, %s: factor_subtree, then forward and backward together\n", scalar);
    constexpr double threshold = 0.01;
    constexpr Factorization indefinite =
        is_complex<T> ? Factorization::ldlt : Factorization::ldlh;  // of a complex symmetric matrix
    for (const index_t n : {6, 12, 20}) {
        if (!run.takes(n * n * n)) continue;
        if constexpr (is_complex<T>) {
            const SparseMatrix<T> a = helmholtz3d<T>(n).matrix;
            bench_tree<T>("LDL^T static", a, indefinite, 0, run);
            bench_tree<T>("LDL^T threshold", a, indefinite, threshold, run);
            bench_tree<T>("LU threshold", a, Factorization::lu, threshold, run);
        } else {
            const SparseMatrix<T> a = poisson3d<T>(n).matrix;
            bench_tree<T>("LL^T", a, Factorization::llt, 0, run);
            bench_tree<T>("LDL^T threshold", a, indefinite, threshold, run);
            const SparseMatrix<T> general = convdiff3d<T>(n).matrix;
            bench_tree<T>("LU static", general, Factorization::lu, 0, run);
            bench_tree<T>("LU threshold", general, Factorization::lu, threshold, run);
        }
    }
}

#define FROND_INSTANTIATE(T) template void bench_subtrees<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
