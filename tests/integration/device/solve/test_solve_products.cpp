// SPDX-License-Identifier: BSD-3-Clause
// How a solve on the device shares its work: sums that blocks of threads share, and many that are too short for one.
// Without a device the host's results are checked.
#include "error_oracle.hpp"
#include "frond/matrix/operations.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// All entries, small but for the diagonal: one front.
template <class T>
SparseMatrix<T> full(index_t n, const Kind& kind) {
    Random random(11);
    SystemBuilder<T> a(n, kind.symmetry);
    const T size = real_scalar<T>(4.0 / n);
    for (index_t j = 0; j < n; ++j) {
        a.set(j, j, real_scalar<T>(kind.diagonal));
        for (index_t i = j + 1; i < n; ++i) {
            a.set(i, j, random.value<T>() * size);
            if (kind.symmetry == Symmetry::general) a.set(j, i, random.value<T>() * size);
        }
    }
    return a.matrix();
}

/// `count` chains of 16, the first entries of each coupled with some of 40 others: a front for each.
template <class T>
SparseMatrix<T> chains(index_t count, const Kind& kind) {
    constexpr index_t length = 16, others = 40, coupled = 5;
    const index_t first = count * length;
    Random random(12);
    SystemBuilder<T> a(first + others, kind.symmetry);
    for (index_t j = 0; j < first; ++j) {
        a.set(j, j, real_scalar<T>(kind.diagonal));
        if (j % length + 1 < length) a.couple(j + 1, j, random.value<T>());
        if (j % length < coupled) a.couple(first + (7 * j + j / length) % others, j, random.value<T>());
    }
    for (index_t j = first; j < first + others; ++j) a.set(j, j, real_scalar<T>(double(count)));
    return a.matrix();
}

SolveOptions without_refinement() {
    SolveOptions options;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    if (has_device()) options.place = SolvePlace::device;
    return options;
}

template <class T>
RhsBlock<T> solved_once(const Factors<T>& factors, const RhsBlock<T>& b, const SolveOptions& options) {
    RhsBlock<T> x(b.rows(), b.cols());
    CHECK(solve(factors, b.view(), x.view(), options).on_device == has_device());
    return x;
}

/// The first solve launches, the second records, the third launches the record.
template <class T>
RhsBlock<T> solved_alike(const Factors<T>& factors, const RhsBlock<T>& b, const SolveOptions& options) {
    const RhsBlock<T> x = solved_once(factors, b, options);
    RhsBlock<T> again(b.rows(), b.cols());
    for (int round = 0; round < 3; ++round) {
        static_cast<void>(solve(factors, b.view(), again.view(), options));
        CHECK(again == x);
    }
    return x;
}

/// Found by trial, for well-conditioned matrices and solutions below 1 in size.
constexpr double largest_error_in_eps = 1000;

/// solved(B) = A^-1 B, for B of a known solution.
template <class T, class Solved>
void check_short_sums(const SparseMatrix<T>& a, index_t rhs, Solved solved) {
    const index_t n = a.rows();
    const auto wanted = RhsBlock<T>::random(n, rhs, 31);
    RhsBlock<T> b(n, rhs);
    multiply(a, Operation::none, rhs, wanted.view().data, n, b.view().data, n);
    const RhsBlock<T> x = solved(b);
    double worst = 0;
    for (index_t q = 0; q < rhs; ++q)
        for (index_t i = 0; i < n; ++i) worst = std::max(worst, double(std::abs(x(i, q) - wanted(i, q))));
    CHECK(worst <= largest_error_in_eps * epsilon<T>());
}

/// Checks a full matrix of each kind; L U: also its adjoint.
template <class T>
void check_shared_sums(index_t n, const std::vector<ForcedMapping>& mappings, const std::vector<index_t>& all_rhs) {
    SolveOptions options = without_refinement();
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = full<T>(n, kind);
        for (const ForcedMapping& mapping : mappings) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping);
            for (const Operation op : {Operation::none, Operation::adjoint}) {
                if (op != Operation::none && kind.factorization != Factorization::lu) continue;
                options.operation = op;
                const test::DenseMatrix d = apply_operation(dense(a), op);
                for (const index_t rhs : all_rhs) {
                    CAPTURE(rhs);
                    const auto b = RhsBlock<T>::random(n, rhs, 31);
                    const RhsBlock<T> x = solved_alike(factors, b, options);
                    CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<T>());
                }
            }
        }
    }
}

/// Checks L L^T, one front for each chain.
template <class T>
void check_chains_once(index_t count, const std::vector<index_t>& all_rhs) {
    const Kind kind{Factorization::llt, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, 6.5};
    const SparseMatrix<T> a = chains<T>(count, kind);
    const index_t n = a.rows();
    const Factors<T> factors = factored(a, kind.factorization, {"one subtree", 16, n});
    for (const index_t rhs : all_rhs) {
        CAPTURE(rhs);
        check_short_sums(a, rhs, [&](const RhsBlock<T>& b) { return solved_once(factors, b, without_refinement()); });
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

// Chunks of 16 KB have 64 entries of each sum in double precision. 9 right-hand sides go in two rounds.
TEST_CASE_TEMPLATE_DEFINE("sums of several blocks of threads" * doctest::test_suite(needs_quick_device), T,
                          shared_sums) {
    constexpr index_t n = 400;
    check_shared_sums<T>(n, {{"one subtree", 16, n}, {"tiles", 150, 0}, {"one tile", 500, 0}}, {1, 3, 9});
}
TEST_CASE_TEMPLATE_APPLY(shared_sums, Scalars);

// Small enough for the tools that watch every access, as in test_small_trees.cpp.
TEST_CASE_TEMPLATE_DEFINE("each kernel of solves that share sums once", T, few_shared_sums) {
    check_shared_sums<T>(112, {{"one tile", 200, 0}}, {1, 3});
}
TEST_CASE_TEMPLATE_APPLY(few_shared_sums, Scalars);

// From 2048 on, short sums of a level get 32 threads each.
TEST_CASE_TEMPLATE_DEFINE("many short sums" * doctest::test_suite(needs_quick_device), T, short_sums) {
    constexpr index_t count = 2200;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = chains<T>(count, kind);
        const index_t n = a.rows();
        const Factors<T> factors = factored(a, kind.factorization, {"one subtree", 16, n});
        for (const index_t rhs : {index_t(1), index_t(9)}) {
            CAPTURE(rhs);
            check_short_sums(a, rhs,
                             [&](const RhsBlock<T>& b) { return solved_alike(factors, b, without_refinement()); });
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(short_sums, Scalars);

// Small enough for memcheck; racecheck would take minutes, and short sums use no shared memory.
TEST_CASE_TEMPLATE_DEFINE("each kernel of many short sums once" * doctest::test_suite(needs_quick_device), T,
                          few_short_sums) {
    check_chains_once<T>(2200, {1, 9});
}
TEST_CASE_TEMPLATE_APPLY(few_short_sums, Scalars);

// From 16 right-hand sides on products go by tiles of 64 of them; parts of a tile have 128 entries of each sum or more.
TEST_CASE_TEMPLATE_DEFINE("tiles of several blocks of threads" * doctest::test_suite(needs_quick_device), T,
                          shared_tiles) {
    constexpr index_t n = 401;
    check_shared_sums<T>(n, {{"one subtree", 16, n}, {"tiles", 151, 0}, {"one tile", 500, 0}}, {17, 70});
}
TEST_CASE_TEMPLATE_APPLY(shared_tiles, Scalars);

TEST_CASE_TEMPLATE_DEFINE("each kernel of tiles that share sums once", T, few_shared_tiles) {
    check_shared_sums<T>(195, {{"one tile", 200, 0}}, {17});
}
TEST_CASE_TEMPLATE_APPLY(few_shared_tiles, Scalars);

TEST_CASE_TEMPLATE_DEFINE("each kernel of many tiles once", T, many_tiles) { check_chains_once<T>(260, {17}); }
TEST_CASE_TEMPLATE_APPLY(many_tiles, Scalars);

TEST_SUITE_END();
