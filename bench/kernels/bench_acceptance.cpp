// SPDX-License-Identifier: BSD-3-Clause
// Rates of threshold pivoting's own kernels: the pivots of a panel accepted beside failed columns, the second pass, and
// the update of the contribution block by what the second pass kept.
#include "bench_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "measure.hpp"
#include "panel_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace frond::bench {

namespace {

template <class T>
void print(const char* name, index_t n, index_t columns, double products, double seconds, double error) {
    std::printf("  %-28s n %4d, columns %3d: %6.1f Gflop/s %10.1f us   error %.0e\n", name, n, columns,
                flops_per_product<T>() * products / seconds * 1e-9, seconds * 1e6, error);
    std::fflush(stdout);
}

/// u := D u, 1x1 and 2x2 pivots.
template <class T>
void multiply_by_pivots(const T* pivots, std::vector<T>& u) {
    for (std::size_t k = 0; k < u.size(); ++k) {
        const T* d = pivots + 2 * k;
        const T first = u[k];
        u[k] *= d[0];
        if (d[1] == T(0)) continue;
        u[k] += d[1] * u[k + 1];
        u[k + 1] = d[1] * first + d[2] * u[k + 1];
        ++k;
    }
}

template <class T>
void bench_panel(bool symmetric, index_t n, index_t f, Run& run) {
    PanelProblem<T> problem(symmetric, n, f);
    if (problem.accept() != n) ++run.wrong;  // a dominant panel keeps all its columns
    const double error = run.checked<T>(problem.error(), n);
    const double seconds = median_seconds_restoring([&] { problem.failed = problem.start; }, [&] { problem.accept(); });
    const double nf = static_cast<double>(n) * f;
    const double products = symmetric ? nf * (0.5 * n + 0.5 * f + n) : nf * (n + f + 2.0 * n);
    print<T>(symmetric ? "accept_pivots, LDL^T" : "accept_pivots, LU", n, f, products, seconds, error);
}

/// Second pass over f columns of f + r rows.
template <class T>
struct SecondPassProblem {
    SecondPassProblem(bool is_symmetric, index_t columns, index_t rows_below)
        : symmetric(is_symmetric),
          f(columns),
          r(rows_below),
          start(random_block<T>(f + r, f, 0, 3)),
          start_right(random_block<T>(f, symmetric ? 0 : r, 0, 4)),
          a(start),
          right(start_right),
          row_perm(at(f)),
          column_perm(at(f)),
          pivots(2 * at(f)),
          work(at(std::max(cpu::factor_second_pass_ldlt_workspace(f, r),
                           cpu::factor_second_pass_lu_workspace(f, r, f, r)))) {
        std::iota(column_perm.begin(), column_perm.end(), 0);
    }

    void restore() {
        a.values = start.values;
        right.values = start_right.values;
    }

    void factor() {
        PivotReport report;
        kept = symmetric ? cpu::factor_second_pass_ldlt<T>(a.view(), false, threshold_rule(), pivots.data(),
                                                           row_perm.data(), work.data(), report)
                               .kept
                         : cpu::factor_second_pass_lu<T>(a.view(), right.view(), r, threshold_rule(), row_perm.data(),
                                                         column_perm.data(), work.data(), report)
                               .kept;
    }

    /// Row sums of L (D) U and of what is left against those of A.
    double error() const {
        const std::vector<T> u = upper_sums();
        double worst = 0;
        for (index_t i = 0; i < f + r; ++i) {
            T sum = 0;
            for (index_t k = 0; k < std::min(i, kept); ++k) sum += a.view()(i, k) * u[at(k)];
            if (i < kept) sum += u[at(i)];
            for (index_t j = kept; j < f && i >= kept; ++j) sum += entry(a, i, j);
            const index_t row = i < f ? row_perm[at(i)] : i;
            for (index_t j = 0; j < f; ++j) sum -= entry(start, row, j);
            worst = std::max<double>(worst, std::abs(sum));
        }
        return worst;
    }

    bool symmetric;
    index_t f, r, kept = 0;
    Block<T> start, start_right, a, right;
    std::vector<index_t> row_perm, column_perm;
    std::vector<T> pivots, work;

private:
    T entry(const Block<T>& block, index_t i, index_t j) const {
        return symmetric && i < j ? block.view()(j, i) : block.view()(i, j);
    }

    /// U, or D L^T, times ones.
    std::vector<T> upper_sums() const {
        std::vector<T> u(at(kept), T(0));
        for (index_t k = 0; k < kept; ++k)
            for (index_t j = k; j < f; ++j) u[at(k)] += !symmetric ? a.view()(k, j) : j == k ? T(1) : a.view()(j, k);
        if (symmetric) multiply_by_pivots(pivots.data(), u);
        return u;
    }
};

template <class T>
void bench_second_pass(bool symmetric, index_t f, index_t r, Run& run) {
    SecondPassProblem<T> problem(symmetric, f, r);
    problem.factor();
    const double error = run.checked<T>(problem.error(), 100.0 * (f + r));  // growth: |l| <= 100
    const double seconds = median_seconds_restoring([&] { problem.restore(); }, [&] { problem.factor(); });
    double products = 0;
    for (index_t k = 0; k < problem.kept; ++k) {
        const double rest = f - k - 1;
        products += symmetric ? rest * (rest + 1) / 2 + rest * r : rest * (rest + r) + rest * r;
    }
    print<T>(symmetric ? "factor_second_pass_ldlt" : "factor_second_pass_lu", r, problem.kept, products, seconds,
             error);
}

/// Row sums of c against those of -L2 (D) U2, all columns kept.
template <class T>
double contribution_error(const cpu::SecondPass<T>& second_pass, bool symmetric, const Block<T>& c) {
    const index_t f = second_pass.kept, ncb = second_pass.ncb;
    const DenseView<const T> l{second_pass.panel.data() + f, ncb, f, f + ncb};
    std::vector<T> u(at(f), T(0));
    for (index_t k = 0; k < f; ++k)
        for (index_t j = 0; j < ncb; ++j) u[at(k)] += symmetric ? l(j, k) : second_pass.upper[at(k) + at(j) * at(f)];
    if (symmetric) multiply_by_pivots(second_pass.pivots.data(), u);
    double worst = 0;
    for (index_t i = 0; i < ncb; ++i) {
        T sum = 0;
        for (index_t k = 0; k < f; ++k) sum += l(i, k) * u[at(k)];
        for (index_t j = 0; j < ncb; ++j) sum += c.view()(i, j);
        worst = std::max<double>(worst, std::abs(sum));
    }
    return worst;
}

/// Columns of a child that are eliminated in their second pass, and the block of its contribution.
template <class T>
void bench_contribution(bool symmetric, index_t f, index_t ncb, Run& run) {
    const Factorization kind = symmetric ? Factorization::ldlt : Factorization::lu;
    cpu::SecondPassColumns<T> columns;
    columns.ncb = ncb;
    columns.row_position = columns.column_position = positions(f);
    const auto a = random_block<T>(f + ncb, f, 4.0 * f, 3);
    columns.a.assign(a.values.begin(), a.values.end() - 1);
    if (!symmetric) {
        const auto b = random_block<T>(f, ncb, 0, 4);
        columns.b.assign(b.values.begin(), b.values.end() - 1);
    }
    cpu::SecondPass<T> second_pass;
    second_pass.ncb = ncb;
    cpu::DelayedColumns<T> delayed;
    PivotReport report;
    cpu::run_second_pass<T>(kind, false, std::move(columns), threshold_rule(), second_pass, delayed, report);
    if (second_pass.kept != f) ++run.wrong;  // dominant columns are all eliminated
    Block<T> c(ncb, ncb);
    const auto update = [&](bool lower) {
        return [&, lower] { cpu::update_contribution<T>(kind, second_pass, 0, 0, lower, c.view()); };
    };
    update(false)();
    const double error = run.checked<T>(contribution_error(second_pass, symmetric, c), ncb);
    const double products = static_cast<double>(second_pass.kept) * ncb * ncb / (symmetric ? 2 : 1);
    print<T>(symmetric ? "update_contribution, LDL^T" : "update_contribution, LU", ncb, second_pass.kept, products,
             median_seconds(update(symmetric)), error);
}

}  // namespace

template <class T>
void bench_acceptance(const char* scalar, Run& run) {
    std::printf("\nthreshold pivoting, %s\n", scalar);
    for (const bool symmetric : {true, false}) {
        for (const index_t n : {64, 128, 256})
            for (const index_t f : {2, 16, 64})
                if (run.takes(n)) bench_panel<T>(symmetric, n, f, run);
        for (const index_t f : {4, 16, 64})
            for (const index_t r : {0, 64, 256})
                if (run.takes(std::max(f, r))) bench_second_pass<T>(symmetric, f, r, run);
        for (const index_t ncb : {64, 256, 512})
            for (const index_t f : {2, 16, 64})
                if (run.takes(ncb)) bench_contribution<T>(symmetric, f, ncb, run);
    }
}

#define FROND_INSTANTIATE(T) template void bench_acceptance<T>(const char*, Run&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::bench
