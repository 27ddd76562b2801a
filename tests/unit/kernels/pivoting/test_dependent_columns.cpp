// SPDX-License-Identifier: BSD-3-Clause
// Columns that depend on others, against the rank they were made with.
#include "frond/cpu/threshold.hpp"
#include "guarded_matrix.hpp"
#include "rank_oracle.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
struct Columns {
    index_t m, n;
    std::vector<T> data;

    DenseView<T> view() { return {data.data(), m, n, std::max<index_t>(m, 1)}; }
};

/// P Q, P [m, rank], Q [rank, n].
template <class T>
Columns<T> of_rank(index_t m, index_t n, index_t rank, std::uint64_t seed) {
    RandomValues values(seed);
    Columns<T> a{m, n, std::vector<T>(static_cast<std::size_t>(m) * static_cast<std::size_t>(n))};
    for (index_t p = 0; p < rank; ++p) {
        std::vector<T> x(static_cast<std::size_t>(m));
        for (T& v : x) v = values.next<T>();
        for (index_t j = 0; j < n; ++j) {
            const T y = values.next<T>();
            for (index_t i = 0; i < m; ++i) a.view()(i, j) += x[static_cast<std::size_t>(i)] * y;
        }
    }
    return a;
}

template <class T>
constexpr double limit = 1000 * std::numeric_limits<real_t<T>>::epsilon();

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("as many columns are independent as the rank says", T, ranks) {
    for (const index_t m : {1, 5, 17, 40})
        for (const index_t n : {1, 4, 17, 33})
            for (const index_t wanted : {0, 1, 3, 12, 40}) {
                const index_t rank = std::min({wanted, m, n});
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(rank);
                Columns<T> a = of_rank<T>(m, n, rank, 7);
                const DenseMatrix before = widened(a.view());
                std::vector<unsigned char> dependent(static_cast<std::size_t>(n), 2);
                CHECK(cpu::find_dependent_columns<T>(a.view(), limit<T>, dependent.data()) == n - rank);
                std::vector<index_t> left, rows(static_cast<std::size_t>(m));
                for (index_t i = 0; i < m; ++i) rows[static_cast<std::size_t>(i)] = i;
                for (index_t j = 0; j < n; ++j)
                    if (dependent[static_cast<std::size_t>(j)] == 0) left.push_back(j);
                REQUIRE(static_cast<index_t>(left.size()) == rank);
                if (rank > 0) CHECK(dense_rank(submatrix(before, rows, left), limit<T>) == rank);
            }
}

TEST_CASE_TEMPLATE_APPLY(ranks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("rounding is no entry: a small column beside parallel ones stays", T, beside_parallel) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Columns<T> parallel = of_rank<T>(6, 3, 1, seed);
        Columns<T> a{7, 4, std::vector<T>(28)};
        for (index_t j = 0; j < 3; ++j)
            for (index_t i = 0; i < 6; ++i) a.view()(i, j) = parallel.view()(i, j);
        a.view()(6, 3) = static_cast<T>(1e-18);
        unsigned char dependent[4];
        CHECK(cpu::find_dependent_columns<T>(a.view(), 0.0, dependent) <= 2);
        CHECK(dependent[3] == 0);
    }
}

TEST_CASE_TEMPLATE_APPLY(beside_parallel, Scalars);
