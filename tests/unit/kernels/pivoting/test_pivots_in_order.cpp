// SPDX-License-Identifier: BSD-3-Clause
// L D L^T where pivots pass in the order they come, and where one of them does not: in every column
// of a block, for every row that its test must see.
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <algorithm>
#include <cmath>

using namespace frond;
using namespace frond::test;

namespace {

/// Around the widths of vectors and blocks.
constexpr index_t in_order_sizes[] = {1, 2, 3, 4, 5, 8, 9, 12, 15, 16, 17, 27, 33, 47, 48, 49, 63, 66};

template <class T>
struct InOrder {
    bool hermitian;
    GuardedMatrix<T> original;
    IndefiniteFactors<T> f;
    std::vector<T> replaced;

    InOrder(GuardedMatrix<T> a, bool hermitian_, const PivotRule& rule = {})
        : hermitian(hermitian_),
          original(a),
          f{std::move(a),
            std::vector<T>(2 * static_cast<std::size_t>(original.cols()), poison<T>()),
            std::vector<index_t>(static_cast<std::size_t>(original.cols()), -1),
            {}},
          replaced(static_cast<std::size_t>(original.cols()), T(0)) {
        GuardedWorkspace<T> workspace(cpu::factor_ldlt_workspace(original.cols()));
        cpu::factor_ldlt<T>(f.a.view(), hermitian, rule, f.pivots.data(), f.perm.data(), workspace.data(), f.report,
                            replaced.data());
        CHECK(workspace.intact());
        CHECK(f.a.padding_intact());
        CHECK(f.a.strict_upper_is_poison());
        CHECK(is_permutation_of(f.perm));
    }

    bool in_order() const { return std::is_sorted(f.perm.begin(), f.perm.end()); }

    index_t pairs() const {
        index_t count = 0;
        for (std::size_t k = 0; k < f.perm.size(); ++k) count += f.pivots[2 * k + 1] != T(0);
        return count;
    }

    /// `added`: what the factorization may have added to the diagonal, in pivot order.
    void check_product(const std::vector<T>& added) const {
        const auto rows = reference::rows_permuted(exact_mirrored(original, hermitian), f.perm);
        auto expected = reference::rows_permuted(rows.transposed(false), f.perm).transposed(false);
        for (std::size_t k = 0; k < added.size(); ++k) {
            const auto i = static_cast<index_t>(k);
            expected.set(i, i, expected(i, i) + reference::widen<T>(added[k]));
        }
        CHECK(reference::relative_difference(f.product(hermitian), expected, in_lower) <=
              rounding_bound<T>(8 * original.cols()));
    }
};

/// Random entries, small beside a diagonal of both signs: every pivot passes.
template <class T>
GuardedMatrix<T> passing(index_t n, bool hermitian, unsigned seed = 410) {
    auto a = random_lower<T>(n, seed, 0, hermitian);
    for (index_t j = 0; j < n; ++j) a(j, j) += static_cast<real_t<T>>(j % 3 ? 4 * n : -4 * n);
    return a;
}

/// Row and column k but for the diagonal := 0.
template <class T>
void isolate(GuardedMatrix<T>& a, index_t k) {
    for (index_t j = 0; j < k; ++j) a(k, j) = 0;
    for (index_t i = k + 1; i < a.rows(); ++i) a(i, k) = 0;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("pivots that pass stay in order", T, in_order_pass) {
    for (const index_t n : in_order_sizes)
        for (const bool hermitian : {false, true})
            for (const index_t extra_rows : {0, 3, 40}) {
                CAPTURE(n);
                CAPTURE(hermitian);
                const auto values = passing<T>(n, hermitian);
                GuardedMatrix<T> a(n, n, extra_rows);
                for (index_t j = 0; j < n; ++j)
                    for (index_t i = j; i < n; ++i) a(i, j) = values(i, j);
                const InOrder<T> result(a, hermitian);
                CHECK(result.in_order());
                CHECK(result.pairs() == 0);
                result.check_product({});
                if (is_complex<T> && !hermitian) continue;
                CHECK(result.f.report.negative == (n + 2) / 3);
                CHECK(result.f.report.positive == n - (n + 2) / 3);
            }
}

TEST_CASE_TEMPLATE_APPLY(in_order_pass, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a pivot passes up to |l| = 1 / alpha, in every row", T, in_order_limit) {
    for (const index_t n : {2, 9, 17, 30})
        for (index_t k = 0; k + 1 < n; ++k)
            for (index_t r = k + 1; r<n; r += n> 9 ? 3 : 1)
                for (const bool hermitian : {false, true}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(r);
                    auto a = GuardedMatrix<T>(n, n);
                    for (index_t j = 0; j < n; ++j)
                        for (index_t i = j; i < n; ++i) a(i, j) = T(real_t<T>(i == j ? 16 : 0));
                    a(k, k) = 1;
                    a(r, k) = T(real_t<T>(1.5));  // alpha = 0.6404
                    CHECK(InOrder<T>(a, hermitian).in_order());
                    a(r, k) = T(real_t<T>(1.625));
                    const InOrder<T> above(a, hermitian);
                    CHECK(above.f.perm[static_cast<std::size_t>(k)] == r);
                    above.check_product({});
                }
}

TEST_CASE_TEMPLATE_APPLY(in_order_limit, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a zero pivot in any column becomes part of a 2x2 pivot", T, in_order_pair) {
    for (const index_t n : {2, 7, 16, 19, 50})
        for (index_t k = 0; k + 1 < n; ++k)
            for (const index_t partner : {k + 1, n - 1})
                for (const bool hermitian : {false, true}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(partner);
                    auto a = passing<T>(n, hermitian);
                    isolate(a, k);
                    isolate(a, partner);
                    a(k, k) = a(partner, partner) = 0;
                    a(partner, k) = T(real_t<T>(3));
                    const InOrder<T> result(a, hermitian);
                    CHECK(result.pairs() == 1);
                    CHECK(result.f.pivots[2 * static_cast<std::size_t>(k) + 1] != T(0));
                    for (index_t j = 0; j <= k; ++j) CHECK(result.f.perm[static_cast<std::size_t>(j)] == j);
                    result.check_product({});
                }
}

TEST_CASE_TEMPLATE_APPLY(in_order_pair, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a null or tiny column in any place is judged", T, in_order_null) {
    for (const index_t n : {1, 6, 16, 21, 50})
        for (index_t k = 0; k < n; ++k)
            for (const double size : {0.0, -1e-6})
                for (const bool hermitian : {false, true}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(size);
                    const auto at = static_cast<std::size_t>(k);
                    auto a = passing<T>(n, hermitian);
                    isolate(a, k);
                    a(k, k) = T(static_cast<real_t<T>>(size));
                    const InOrder<T> raised(a, hermitian, {1.0, 1e-4});
                    CHECK(raised.in_order());
                    CHECK(raised.f.report.perturbed == 1);
                    CHECK(raised.f.report.zero == 1);
                    CHECK(raised.f.pivots[2 * at] == T(real_t<T>(size < 0 ? -1 : 1)));
                    const InOrder<T> replaced(a, hermitian, {1.0, 1e-4, 0.01});
                    CHECK(replaced.in_order());
                    for (std::size_t j = 0; j < replaced.replaced.size(); ++j)
                        CHECK((replaced.replaced[j] != T(0)) == (j == at));
                    CHECK(replaced.f.report.perturbed + replaced.f.report.zero == 0);
                    replaced.check_product(replaced.replaced);
                }
}

TEST_CASE_TEMPLATE_APPLY(in_order_null, Scalars);

TEST_CASE_TEMPLATE_DEFINE("NaN and Inf in any entry end", T, in_order_bad) {
    for (const index_t n : {1, 5, 8, 18})
        for (index_t k = 0; k < n; ++k)
            for (index_t r = k; r < n; ++r)
                for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(r);
                    CAPTURE(bad);
                    auto a = passing<T>(n, true);
                    a(r, k) = static_cast<real_t<T>>(bad);
                    const InOrder<T> result(a, true, {1e-8, 0});
                    bool finite = true;
                    for (const T& d : result.f.pivots) finite = finite && std::isfinite(std::abs(d));
                    if (std::isnan(bad)) CHECK(!finite);
                }
}

TEST_CASE_TEMPLATE_APPLY(in_order_bad, Scalars);
