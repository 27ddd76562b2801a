// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "frond/base/error.hpp"
#include "random_order.hpp"
#include "random_sparse.hpp"
#include "test_graphs.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Graph of P A Q + (P A Q)^T in the numbers of the rows: column column_of_row[r] belongs to row r.
Pattern graph_of_matrix(const Pattern& a, const std::vector<index_t>& column_of_row) {
    std::vector<index_t> row_of_column(column_of_row.size());
    for (std::size_t r = 0; r < column_of_row.size(); ++r) row_of_column[column_of_row[r]] = static_cast<index_t>(r);
    Edges edges;
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) edges.emplace_back(a.row[e], row_of_column[j]);
    return graph_of(a.cols, edges);
}

struct Mapped {
    SparseMatrix<double> a;
    Factorization kind;
    std::vector<index_t> row_order, column_order;
    AssemblyTree tree;
    EntryMap map;
};

Mapped map_random(std::uint64_t seed, Symmetry symmetry, Factorization kind) {
    Mapped m;
    const index_t n = static_cast<index_t>(1 + seed % 40);
    m.a = random_sparse<double>(n, static_cast<index_t>(seed % 4), symmetry, false, seed);
    m.kind = kind;
    std::vector<index_t> column_of_row = random_order(n, seed + 7);
    if (symmetry != Symmetry::general || seed % 2)
        for (index_t r = 0; r < n; ++r) column_of_row[r] = r;
    m.row_order = random_order(n, seed);
    m.tree = build_assembly_tree(graph_of_matrix(m.a.pattern, column_of_row), m.row_order, {}, kind, {});
    for (index_t r : m.row_order) m.column_order.push_back(column_of_row[r]);
    m.map = map_entries(m.a.pattern, symmetry, m.row_order, m.column_order, m.tree, kind);
    return m;
}

using Entries = std::map<std::pair<index_t, index_t>, double>;

/// Entries of B = P A Q by (row, column) that the factorization reads.
Entries wanted_entries(const Mapped& m) {
    std::vector<index_t> row(m.row_order.size()), column(m.row_order.size());
    for (std::size_t k = 0; k < m.row_order.size(); ++k) {
        row[m.row_order[k]] = static_cast<index_t>(k);
        column[m.column_order[k]] = static_cast<index_t>(k);
    }
    const bool lower_only = m.kind != Factorization::lu;
    Entries entries;
    for (index_t j = 0; j < m.a.cols(); ++j)
        for (count_t e = m.a.pattern.begin[j]; e < m.a.pattern.begin[j + 1]; ++e) {
            const index_t i = m.a.pattern.row[e];
            if (!lower_only || row[i] >= column[j]) entries[{row[i], column[j]}] = m.a.value[e];
            if (m.a.symmetry == Symmetry::general || i == j) continue;
            // a_ji = conj(a_ij) stands in for a_ij: the sign tells apart which one was taken.
            if (!lower_only || row[j] >= column[i]) entries[{row[j], column[i]}] = -m.a.value[e];
        }
    return entries;
}

}  // namespace

TEST_CASE("the entries of all fronts together are the permuted matrix") {
    const std::pair<Symmetry, Factorization> cases[] = {
        {Symmetry::general, Factorization::lu},     {Symmetry::symmetric, Factorization::lu},
        {Symmetry::symmetric, Factorization::llt},  {Symmetry::symmetric, Factorization::ldlt},
        {Symmetry::hermitian, Factorization::ldlh}, {Symmetry::hermitian, Factorization::lu}};
    for (const auto& [symmetry, kind] : cases)
        for (std::uint64_t seed = 1; seed <= 80; ++seed) {
            CAPTURE(seed);
            const Mapped m = map_random(seed, symmetry, kind);
            Entries found;
            REQUIRE(m.map.front_begin.size() == m.tree.fronts.size() + 1);
            for (index_t f = 0; f < m.tree.front_count(); ++f) {
                const Front& front = m.tree.fronts[f];
                std::pair<index_t, index_t> previous = {-1, -1};
                for (count_t e = m.map.front_begin[f]; e < m.map.front_begin[f + 1]; ++e) {
                    const index_t row = m.map.row[e], column = m.map.column[e];
                    REQUIRE((row >= 0 && row < front.nfront && column >= 0 && column < front.nfront));
                    REQUIRE((kind == Factorization::lu ? std::min(row, column) < front.npiv
                                                       : row >= column && column < front.npiv));
                    REQUIRE(previous < std::pair(column, row));
                    previous = {column, row};
                    const count_t s = m.map.source[e];
                    const double value = s >= 0 ? m.a.value[s] : -m.a.value[~s];
                    const auto position = std::pair(position_of(m.tree, f, row), position_of(m.tree, f, column));
                    REQUIRE(found.emplace(position, value).second);
                }
            }
            REQUIRE(found == wanted_entries(m));
        }
}

TEST_CASE("entry maps of nothing, and of what does not fit") {
    std::vector<index_t> order;
    const AssemblyTree empty = build_assembly_tree(graph_of(0, {}), order, {}, Factorization::lu, {});
    const Pattern none{0, 0, {0}, {}};
    const EntryMap map = map_entries(none, Symmetry::general, {}, {}, empty, Factorization::lu);
    CHECK(map.front_begin == std::vector<count_t>{0});
    CHECK(map.source.empty());
    const Pattern one{1, 1, {0, 1}, {0}};
    CHECK_THROWS_AS(map_entries(one, Symmetry::general, {0}, {0}, empty, Factorization::lu), InvalidArgument);
    order = {0};
    const AssemblyTree single = build_assembly_tree(graph_of(1, {}), order, {}, Factorization::llt, {});
    CHECK_THROWS_AS(map_entries(one, Symmetry::general, {0}, {0}, single, Factorization::llt), InvalidArgument);
}
