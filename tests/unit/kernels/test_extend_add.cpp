// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/kernels.hpp"
#include "kernel_checks.hpp"

#include <algorithm>

using namespace frond;
using namespace frond::test;

namespace {

/// n ascending rows of a front of order nfront, in runs of random length.
std::vector<index_t> random_rows(index_t n, index_t nfront, index_t longest_run, std::uint64_t seed) {
    RandomValues values(seed);
    std::vector<index_t> rows;
    index_t next = 0, spare = nfront - n;
    while (static_cast<index_t>(rows.size()) < n) {
        const index_t skip = spare > 0 ? values.below(std::min(spare, index_t(3)) + 1) : 0;
        next += skip;
        spare -= skip;
        for (index_t run = 1 + values.below(longest_run); run > 0 && static_cast<index_t>(rows.size()) < n; --run)
            rows.push_back(next++);
    }
    return rows;
}

struct Case {
    index_t n, npiv, nfront, longest_run;
};

constexpr Case cases[] = {{0, 3, 5, 1},    {1, 1, 1, 1},    {1, 1, 4, 1},      {3, 2, 9, 1},     {5, 5, 5, 9},
                          {17, 8, 40, 2},  {20, 30, 40, 5}, {40, 8, 60, 33},   {64, 16, 64, 64}, {90, 33, 150, 4},
                          {33, 1, 70, 20}, {50, 60, 64, 3}, {100, 20, 130, 60}};

template <class T>
struct Target {
    GuardedMatrix<T> panel, upper, contribution;

    Target(index_t npiv, index_t nfront, bool lower)
        : panel(nfront, npiv), upper(npiv, nfront - npiv), contribution(nfront - npiv, nfront - npiv) {
        RandomValues values(71);
        for (index_t j = 0; j < nfront; ++j)
            for (index_t i = lower ? j : 0; i < nfront; ++i) at(i, j) = values.next<T>();
    }

    T& at(index_t i, index_t j) {
        const index_t npiv = panel.cols();
        if (j < npiv) return panel(i, j);
        return i < npiv ? upper(i, j - npiv) : contribution(i - npiv, j - npiv);
    }
};

/// Every entry, sums and untouched ones, bit by bit: one addition has one right result.
template <class T>
bool equal(Target<T>& a, Target<T>& b, index_t nfront) {
    for (index_t j = 0; j < nfront; ++j)
        for (index_t i = 0; i < nfront; ++i)
            if (std::memcmp(&a.at(i, j), &b.at(i, j), sizeof(T)) != 0) return false;
    return a.panel.padding_intact() && a.upper.padding_intact() && a.contribution.padding_intact();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("extend-add of a lower triangle", T, extend_add_lower_cases) {
    for (const Case& c : cases)
        for (const std::uint64_t seed : {1, 2, 3}) {
            CAPTURE(c.n);
            CAPTURE(c.nfront);
            const auto rows = random_rows(c.n, c.nfront, c.longest_run, seed);
            const auto child = random_lower<T>(c.n, 72);
            Target<T> target(c.npiv, c.nfront, true), expected(c.npiv, c.nfront, true);
            for (index_t j = 0; j < c.n; ++j)
                for (index_t i = j; i < c.n; ++i)
                    expected.at(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]) += child(i, j);
            cpu::extend_add_lower<T>(child.view(), rows.data(), target.panel.view(), target.contribution.view());
            CHECK(equal(target, expected, c.nfront));
        }
}

TEST_CASE_TEMPLATE_APPLY(extend_add_lower_cases, Scalars);

TEST_CASE_TEMPLATE_DEFINE("extend-add of a square child", T, extend_add_full_cases) {
    for (const Case& c : cases)
        for (const std::uint64_t seed : {1, 2, 3}) {
            CAPTURE(c.n);
            CAPTURE(c.nfront);
            const auto rows = random_rows(c.n, c.nfront, c.longest_run, seed);
            const auto child = random_matrix<T>(c.n, c.n, 73);
            Target<T> target(c.npiv, c.nfront, false), expected(c.npiv, c.nfront, false);
            for (index_t j = 0; j < c.n; ++j)
                for (index_t i = 0; i < c.n; ++i)
                    expected.at(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]) += child(i, j);
            cpu::extend_add_full<T>(child.view(), rows.data(), target.panel.view(), target.upper.view(),
                                    target.contribution.view());
            CHECK(equal(target, expected, c.nfront));
        }
}

TEST_CASE_TEMPLATE_APPLY(extend_add_full_cases, Scalars);
