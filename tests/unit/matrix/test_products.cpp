// SPDX-License-Identifier: BSD-3-Clause
// Products and norms against dense loops in long double; bounds from the length of the sums.
#include "frond/matrix/generate.hpp"
#include "frond/matrix/operations.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

using Wide = std::complex<long double>;

template <class T>
Wide wide(T x) {
    if constexpr (is_complex<T>)
        return Wide(x.real(), x.imag());
    else
        return Wide(x);
}

/// op(A) as a dense matrix, [rows, cols] column-major.
template <class T>
std::vector<Wide> dense_operator(const SparseMatrix<T>& a, Operation op, index_t& rows, index_t& cols) {
    const bool turned = op != Operation::none;
    rows = turned ? a.cols() : a.rows();
    cols = turned ? a.rows() : a.cols();
    std::vector<Wide> d(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    const auto put = [&](index_t i, index_t j, Wide v) {
        if (op == Operation::adjoint) v = std::conj(v);
        d[turned ? j + static_cast<std::size_t>(rows) * i : i + static_cast<std::size_t>(rows) * j] = v;
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            const index_t i = a.pattern.row[e];
            put(i, j, wide(a.value[e]));
            if (a.symmetry != Symmetry::general)
                put(j, i, a.symmetry == Symmetry::hermitian ? std::conj(wide(a.value[e])) : wide(a.value[e]));
        }
    return d;
}

template <class T>
std::vector<T> random_block(std::size_t size, std::uint64_t seed) {
    Random random(seed);
    std::vector<T> x(size);
    for (T& v : x) v = random.value<T>();
    return x;
}

template <class T>
void check_products(const SparseMatrix<T>& a, Operation op, index_t nrhs) {
    index_t rows = 0, cols = 0;
    const std::vector<Wide> d = dense_operator(a, op, rows, cols);
    const std::size_t ldx = static_cast<std::size_t>(cols) + 2, ldb = static_cast<std::size_t>(rows) + 3;
    const std::size_t ldr = static_cast<std::size_t>(rows) + 1, ldw = static_cast<std::size_t>(rows);
    const std::vector<T> x = random_block<T>(ldx * nrhs, 5), b = random_block<T>(ldb * nrhs, 6);
    const T untouched = T(77);
    std::vector<T> y(ldr * nrhs, untouched), r(y), r2(y);
    std::vector<real_t<T>> w(ldw * nrhs);
    multiply(a, op, nrhs, x.data(), ldx, y.data(), ldr);
    residual(a, op, nrhs, x.data(), ldx, b.data(), ldb, r.data(), ldr);
    residual_and_weights(a, op, nrhs, x.data(), ldx, b.data(), ldb, r2.data(), ldr, w.data(), ldw);
    const double bound = rounding_bound<T>(cols + 2);
    for (index_t k = 0; k < nrhs; ++k) {
        for (index_t i = 0; i < rows; ++i) {
            Wide sum = 0;
            long double size = 0;
            for (index_t j = 0; j < cols; ++j) {
                const Wide v = d[i + static_cast<std::size_t>(rows) * j];
                sum += v * wide(x[k * ldx + j]);
                size += std::abs(v) * std::abs(wide(x[k * ldx + j]));
            }
            const Wide bi = wide(b[k * ldb + i]);
            const double weight = static_cast<double>(size + std::abs(bi));
            CHECK(static_cast<double>(std::abs(wide(y[k * ldr + i]) - sum)) <= bound * static_cast<double>(size));
            CHECK(static_cast<double>(std::abs(wide(r[k * ldr + i]) - (bi - sum))) <= bound * weight);
            CHECK(static_cast<double>(std::abs(wide(r2[k * ldr + i]) - (bi - sum))) <= bound * weight);
            CHECK(std::abs(static_cast<double>(w[k * ldw + i]) - weight) <= bound * weight);
        }
        CHECK(y[k * ldr + rows] == untouched);
    }
}

/// Chunks backwards on three threads.
ParallelFor three_threads() {
    return [](count_t chunks, const std::function<void(count_t)>& body) {
        std::vector<std::thread> threads;
        for (count_t t = 0; t < 3; ++t)
            threads.emplace_back([=, &body] {
                for (count_t c = chunks - 1 - t; c >= 0; c -= 3) body(c);
            });
        for (std::thread& thread : threads) thread.join();
    };
}

template <class T>
SparseMatrix<T> wide_matrix() {
    SparseMatrix<T> a;
    a.pattern.rows = 3;
    a.pattern.cols = 6;
    a.pattern.begin = {0, 1, 1, 3, 4, 4, 6};
    a.pattern.row = {2, 0, 1, 1, 0, 2};
    Random random(9);
    for (int k = 0; k < 6; ++k) a.value.push_back(random.value<T>());
    return a;
}

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("op(A) X, B - op(A) X and |op(A)||X| + |B| for every symmetry", T, products) {
    for (const Operation op : operations)
        for (const index_t nrhs : {1, 2, 4, 5}) {
            check_products(wide_matrix<T>(), op, nrhs);
            for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian})
                check_products(random_sparse<T>(23, 4, symmetry, false, 7), op, nrhs);
        }
}

TEST_CASE_TEMPLATE_APPLY(products, Scalars);

TEST_CASE_TEMPLATE_DEFINE("sums are the same bit by bit on any number of threads", T, threads) {
    // Enough entries for many chunks; the random one has rows all over, so few.
    const SparseMatrix<T> grid = poisson2d<T>(220).matrix;
    SparseMatrix<T> scattered = random_sparse<T>(60000, 6, Symmetry::hermitian, false, 8);
    for (SparseMatrix<T> a : {expanded(scattered), scattered, grid}) {
        Random random(4);
        for (T& v : a.value) v = T(real_part(random.value<T>()));
        const std::size_t n = static_cast<std::size_t>(a.rows());
        const std::vector<T> x = random_block<T>(5 * n, 1), b = random_block<T>(5 * n, 2);
        const ProductPlan plan = plan_products(a.pattern);
        CHECK(plan.chunks() > 1);
        for (const Operation op : operations) {
            std::vector<T> r1(5 * n), r2(b);
            std::vector<real_t<T>> w1(5 * n), w2(5 * n);
            residual_and_weights(a, op, 5, x.data(), n, b.data(), n, r1.data(), n, w1.data(), n);
            residual_and_weights(a, op, 5, x.data(), n, r2.data(), n, r2.data(), n, w2.data(), n,
                                 {&plan, three_threads()});
            CHECK(r1 == r2);
            CHECK(w1 == w2);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(threads, Scalars);

TEST_CASE_TEMPLATE_DEFINE("norms of the whole matrix", T, norms) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        const SparseMatrix<T> a = random_sparse<T>(31, 4, symmetry, false, 13);
        index_t rows = 0, cols = 0;
        const std::vector<Wide> d = dense_operator(a, Operation::none, rows, cols);
        long double largest = 0, row_norm = 0, column_norm = 0;
        for (index_t i = 0; i < rows; ++i) {
            long double row = 0, column = 0;
            for (index_t j = 0; j < cols; ++j) {
                row += std::abs(d[i + static_cast<std::size_t>(rows) * j]);
                column += std::abs(d[j + static_cast<std::size_t>(rows) * i]);
                largest = std::max(largest, std::abs(d[i + static_cast<std::size_t>(rows) * j]));
            }
            row_norm = std::max(row_norm, row);
            column_norm = std::max(column_norm, column);
        }
        const MatrixNorms found = matrix_norms(a);
        const double bound = rounding_bound<T>(3);  // each modulus is rounded in T, sums are in double
        CHECK(std::abs(found.infinity - static_cast<double>(row_norm)) <= bound * found.infinity);
        CHECK(std::abs(found.one - static_cast<double>(column_norm)) <= bound * found.one);
        CHECK(std::abs(found.max - static_cast<double>(largest)) <= bound * found.max);
    }
    CHECK(matrix_norms(SparseMatrix<T>{}).infinity == 0);
}

TEST_CASE_TEMPLATE_APPLY(norms, Scalars);

TEST_CASE("moduli near the limits of the range neither overflow nor vanish") {
    SparseMatrix<std::complex<double>> a;
    a.pattern.rows = a.pattern.cols = 2;
    a.pattern.begin = {0, 1, 2};
    a.pattern.row = {0, 1};
    a.value = {{3e200, 4e200}, {3e-200, 4e-200}};
    const std::complex<double> x[2] = {1, 1}, b[2] = {0, 0};
    std::complex<double> r[2];
    double w[2];
    residual_and_weights(a, Operation::none, 1, x, 2, b, 2, r, 2, w, 2);
    const double bound = rounding_bound<double>(6);
    CHECK(is_near(w[0], 5e200, bound));
    CHECK(is_near(w[1], 5e-200, bound));
    CHECK(is_near(matrix_norms(a).max, 5e200, bound));
}

TEST_CASE("a plan covers every column once and every entry's row") {
    for (const Pattern& p : {poisson2d<double>(300).matrix.pattern, Pattern{}, wide_matrix<double>().pattern,
                             kkt<double>(24).matrix.pattern}) {
        const ProductPlan plan = plan_products(p);
        REQUIRE(plan.column_cut.size() == static_cast<std::size_t>(plan.chunks()) + 1);
        CHECK(plan.column_cut.front() == 0);
        CHECK(plan.column_cut.back() == p.cols);
        bool covered = true;
        for (count_t c = 0; c < plan.chunks(); ++c) {
            covered = covered && plan.column_cut[c] <= plan.column_cut[c + 1];
            for (index_t j = plan.column_cut[c]; j < plan.column_cut[c + 1]; ++j)
                for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e)
                    covered = covered && plan.row_first[c] <= p.row[e] && p.row[e] < plan.row_last[c];
        }
        CHECK(covered);
    }
}
