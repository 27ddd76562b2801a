// SPDX-License-Identifier: BSD-3-Clause
// Panels of a front in tiles with columns that fail, and the second pass over them.
#include "accept_cases.hpp"

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
index_t kept_in_all(const AcceptedFront<T>& front) {
    return std::accumulate(front.kept.begin(), front.kept.end(), 0);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("nothing fails: every panel keeps all, nothing is left over", T, easy) {
    check_easy_fronts<T>(cpu::accept_pivots<T>);
}

TEST_CASE_TEMPLATE_APPLY(easy, Scalars);

TEST_CASE_TEMPLATE_DEFINE("first, middle, last and all columns of a tile fail", T, columns_of_tile) {
    const std::vector<std::vector<index_t>> sets = {{5},        {8},
                                                    {11},       {5, 6, 7, 8, 9, 10, 11},
                                                    {0},        {4},
                                                    {15},       {0, 5, 12},
                                                    {2, 8, 14}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
    for (const AcceptKind& k : accept_kinds)
        for (const auto& failing : sets)
            for (const bool inside : {true, false}) {
                CAPTURE(std::string(k.name));
                CAPTURE(failing.size());
                CAPTURE(failing.front());
                CAPTURE(inside);
                AcceptedFront<T> front = accepted_front<T>(k);
                // The large entry: in another panel's row, or in a contribution row.
                fill_failing(front, failing, [&](index_t c) { return inside ? (c + 6) % 16 : 16 + c % 9; });
                front.run(accept_rule<T>());
                // A partner in an earlier panel mends its column when it is eliminated.
                if (inside) continue;
                CHECK(kept_in_all(front) <= 16 - static_cast<index_t>(failing.size()));
                CHECK(front.second_pass.cols() == 16 - kept_in_all(front));
                if (failing.size() == 16) CHECK(front.delayed.cols() > 0);
            }
}

TEST_CASE_TEMPLATE_APPLY(columns_of_tile, Scalars);

TEST_CASE_TEMPLATE_DEFINE("a 2x2 pivot across the edge of a tile is found by the second pass", T, across_edge) {
    for (const AcceptKind& k : accept_kinds) {
        CAPTURE(std::string(k.name));
        AcceptedFront<T> front = accepted_front<T>(k);
        front.fill([](index_t i, index_t j) {
            const bool pair = std::min(i, j) == 4 && std::max(i, j) == 5;
            if (pair) return T(3);
            if (i == j) return i == 4 || i == 5 ? T(0) : T(8);
            return T(0.01f);
        });
        front.run(accept_rule<T>());
        CHECK(kept_in_all(front) <= 15);
        CHECK(front.second_pass.kept == front.second_pass.cols());
        if (front.symmetric()) CHECK(front.report.two_by_two >= 1);
        CHECK(front.delayed.empty());
    }
}

TEST_CASE_TEMPLATE_APPLY(across_edge, Scalars);

TEST_CASE_TEMPLATE_DEFINE("columns of a child are taken along before the first panel", T, handed_in) {
    for (const AcceptKind& k : accept_kinds)
        for (const bool hard : {false, true})
            for (const index_t more_rows : {0, 2}) {
                if (more_rows > 0 && k.kind != Factorization::lu) continue;
                CAPTURE(std::string(k.name));
                CAPTURE(hard);
                CAPTURE(more_rows);
                AcceptedFront<T> front = accepted_front<T>(k);
                const std::vector<index_t> none, some{1, 7, 13};
                fill_failing(front, hard ? some : none, [](index_t c) { return (c + 6) % 16; });
                cpu::DelayedColumns<T> child;
                const std::vector<index_t> rows{0, 3, 6, 15, 16, 24};
                child.ncb = 6;
                RandomValues values(23);
                for (index_t s = 0; s < 3; ++s)
                    child.column_position.push_back(AcceptedFront<T>::first_delayed_position + s);
                child.row_position = child.column_position;
                for (index_t s = 0; s < more_rows; ++s)
                    child.row_position.push_back(AcceptedFront<T>::first_delayed_position + 3 + s);
                const index_t height = 3 + more_rows + 6;
                for (index_t j = 0; j < 3; ++j)
                    for (index_t i = 0; i < height; ++i) {
                        const T x = i == j ? T(0) : values.next<T>();
                        child.columns.push_back(x);
                    }
                if (k.kind == Factorization::lu)
                    for (index_t e = 0; e < (3 + more_rows) * 6; ++e) child.row_part.push_back(values.next<T>());
                front.hand_in(child, rows);
                front.run(accept_rule<T>());
                CHECK(front.second_pass.cols() >= 3);
            }
}

TEST_CASE_TEMPLATE_APPLY(handed_in, Scalars);

TEST_CASE_TEMPLATE_DEFINE("at a root nothing is delayed; null columns are counted", T, at_root) {
    for (const AcceptKind& k : accept_kinds)
        for (const bool null : {false, true}) {
            CAPTURE(std::string(k.name));
            CAPTURE(null);
            AcceptedFront<T> front = accepted_front<T>(k, true);
            RandomValues values(29);
            front.fill([&](index_t i, index_t j) {
                const T x = values.next<T>();
                if (null && (i == 6 || j == 6)) return T(0);
                return i == j ? T(0) : x;
            });
            front.run(accept_rule<T>());
            CHECK(front.delayed.empty());
            CHECK(front.report.zero == (null ? 1 : 0));
        }
}

TEST_CASE_TEMPLATE_APPLY(at_root, Scalars);

TEST_CASE_TEMPLATE_DEFINE("columns without a pivot that depend on others are null at once", T, dependent) {
    for (const AcceptKind& k : accept_kinds) {
        if (k.kind == Factorization::lu) continue;
        CAPTURE(std::string(k.name));
        for (const index_t rank : {0, 1, 3, 7}) {
            CAPTURE(rank);
            AcceptedFront<T> front = accepted_front<T>(k);
            RandomValues values(31);
            std::vector<T> left(9 * 7), right(7 * 7);
            for (T& x : left) x = values.next<T>();
            for (T& x : right) x = values.next<T>();
            front.fill([&](index_t i, index_t j) {
                const T x = values.next<T>();
                if (i == j && i < 16) return j >= 5 && j < 12 ? T(0) : x + T(8);
                if (j < 5 || j >= 12) return i >= 5 && i < 12 ? T(0) : x;
                if (i < 16) return T(0);
                T sum(0);  // columns 5 to 11: of this rank in the contribution rows
                for (index_t p = 0; p < rank; ++p)
                    sum +=
                        left[static_cast<std::size_t>(i - 16 + 9 * p)] * right[static_cast<std::size_t>(j - 5 + 7 * p)];
                return sum;
            });
            front.run(accept_rule<T>());
            CHECK(front.second_pass.cols() == 7);
            CHECK(front.second_pass.kept == 0);
            CHECK(front.second_pass.null_columns == 7 - rank);
            CHECK(front.report.zero == 7 - rank);
            CHECK(front.delayed.cols() == rank);
            CHECK(front.second_pass.search_flops == 2.0 * 16 * (7 * rank - rank * (rank + 1) / 2));
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(dependent, Scalars);

TEST_CASE_TEMPLATE_DEFINE("random fronts of all sizes of tiles", T, random_fronts) {
    check_random_fronts<T>(cpu::accept_pivots<T>, 60);
}

TEST_CASE_TEMPLATE_APPLY(random_fronts, Scalars);
