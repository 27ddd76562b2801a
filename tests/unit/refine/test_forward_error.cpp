// SPDX-License-Identifier: BSD-3-Clause
#include "refine_problem.hpp"
#include "scalar_lists.hpp"
#include "refinement/forward_error.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

/// x = M^-1 b rounded, with an error planted in its components.
template <class T>
struct Trial {
    Trial(const SparseMatrix<T>& a, Operation op, double error, std::uint64_t seed)
        : wide(apply_operation(dense(a), op)),
          inverse(inverse_of(wide)),
          b(a.rows(), 1),
          x(a.rows(), 1),
          system(system_of(a, op)),
          entries(system.applied().entries_of_rows()) {
        b.fill_random(seed);
        Random random(seed + 1);
        const DenseMatrix exact = multiply_add(1, inverse, widened(b.view), DenseMatrix(a.rows(), 1));
        for (index_t i = 0; i < a.rows(); ++i) {
            x.view(i, 0) = narrow<T>(exact(i, 0) * (1 + error * static_cast<long double>(random.value<double>())));
            difference = std::max(difference, std::abs(exact(i, 0) - widen(x.view(i, 0))));
            size = std::max(size, std::abs(widen(x.view(i, 0))));
        }
    }

    double bound() const {
        return forward_error_bounds<T>(system, b.view, x.view, apply_dense<T>(inverse),
                                       apply_dense<T>(apply_operation(inverse, Operation::adjoint)))[0];
    }

    double error() const { return static_cast<double>(difference / size); }

    /// || |M^-1| (|r| + (n_i + 1) eps w) || / ||x|| in extended precision.
    double expected() const {
        const index_t n = wide.rows;
        long double largest = 0;
        std::vector<long double> f(static_cast<std::size_t>(n));
        for (index_t i = 0; i < n; ++i) {
            Wide r = widen(b.view(i, 0));
            long double w = std::abs(r);
            for (index_t j = 0; j < n; ++j) {
                r -= wide(i, j) * widen(x.view(j, 0));
                w += std::abs(wide(i, j) * widen(x.view(j, 0)));
            }
            const auto at = static_cast<std::size_t>(i);
            f[at] = std::abs(r) + (entries[at] + 1) * epsilon<T>() * w;
        }
        for (index_t i = 0; i < n; ++i) {
            long double sum = 0;
            for (index_t j = 0; j < n; ++j) sum += std::abs(inverse(i, j)) * f[static_cast<std::size_t>(j)];
            largest = std::max(largest, sum);
        }
        return static_cast<double>(largest / size);
    }

    DenseMatrix wide, inverse;
    Columns<T> b, x;
    LinearSystem<T> system;
    std::vector<index_t> entries;
    long double difference = 0, size = 0;
};

template <class T>
std::vector<SparseMatrix<T>> matrices(index_t n, std::uint64_t seed) {
    std::vector<SparseMatrix<T>> list;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        if (!is_complex<T> && symmetry == Symmetry::hermitian) continue;
        list.push_back(random_sparse<T>(n, 3, symmetry, false, seed));
        list.push_back(random_sparse<T>(n, 3, symmetry, true, seed));
    }
    return list;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("entries of rows are those of the whole matrix", T, row_counts) {
    for (const SparseMatrix<T>& a : matrices<T>(40, 3))
        for (const Operation op : operations) {
            const DenseMatrix d = apply_operation(dense(a), op);
            const std::vector<index_t> entries = SparseOperator<T>(a, op).entries_of_rows();
            for (index_t i = 0; i < d.rows; ++i) {
                index_t count = 0;
                for (index_t j = 0; j < d.cols; ++j) count += d(i, j) != Wide(0);
                CHECK(entries[static_cast<std::size_t>(i)] == count);
            }
        }
}
TEST_CASE_TEMPLATE_APPLY(row_counts, Scalars);

TEST_CASE_TEMPLATE_DEFINE("an upper bound of the error, near its formula", T, bounds) {
    for (const SparseMatrix<T>& a : matrices<T>(50, 7))
        for (const Operation op : operations)
            for (const double planted : {0.0, 1e3 * epsilon<T>(), 1e-2}) {
                CAPTURE(planted);
                const Trial<T> trial(a, op, planted, 11);
                const double bound = trial.bound(), expected = trial.expected();
                CHECK(trial.error() <= bound);
                // The residual itself has errors of the size that the bound adds for them.
                CHECK(bound <= 2.01 * expected);
                CHECK(3 * bound >= expected);
            }
}
TEST_CASE_TEMPLATE_APPLY(bounds, Scalars);

TEST_CASE_TEMPLATE_DEFINE("x = 0 = b has no error, x = 0 for b /= 0 an infinite one", T, zeros) {
    const SparseMatrix<T> a = random_sparse<T>(20, 3, Symmetry::general, true, 5);
    Trial<T> trial(a, Operation::none, 0, 3);
    std::fill(trial.x.values.begin(), trial.x.values.end(), T(0));
    CHECK(trial.bound() == std::numeric_limits<double>::infinity());
    std::fill(trial.b.values.begin(), trial.b.values.end(), T(0));
    CHECK(trial.bound() == 0);
}
TEST_CASE_TEMPLATE_APPLY(zeros, Scalars);
