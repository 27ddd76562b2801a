// SPDX-License-Identifier: BSD-3-Clause
// The brute-force analysis is an oracle: its own rules, checked.
#include "random_sparse.hpp"
#include "simple_analysis.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE("arrow matrix pointing down: no fill, one root") {
    EntryTable<double> table;
    for (index_t j = 0; j < 5; ++j) table[{j, j}] = table[{j, 4}] = 1;
    const SparseMatrix<double> a = from_table(5, table, Symmetry::symmetric);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::llt);
    CHECK(analysis.tree.rows == std::vector<index_t>{4, 4, 4, 4});
    CHECK(analysis.tree.relative_rows == std::vector<index_t>{0, 0, 0, 0});
    CHECK(analysis.tree.children == std::vector<index_t>{0, 1, 2, 3});
    CHECK(analysis.tree.first_descendant == std::vector<index_t>{0, 1, 2, 3, 0});
}

TEST_CASE("trees are postordered and children's rows lie in their parents") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const SparseMatrix<double> a = random_sparse<double>(50, 1, Symmetry::general, true, seed);
        const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::lu, {1, 3, 2});
        const AssemblyTree& tree = analysis.tree;
        CHECK(analysis.entry_map.source.size() == a.value.size());
        for (index_t f = 0; f < tree.front_count(); ++f) {
            const Front& front = tree.fronts[static_cast<std::size_t>(f)];
            if (front.parent < 0) continue;
            CHECK(front.parent > f);
            // subtrees are contiguous
            CHECK(tree.first_descendant[static_cast<std::size_t>(front.parent)] <=
                  tree.first_descendant[static_cast<std::size_t>(f)]);
            const Front& parent = tree.fronts[static_cast<std::size_t>(front.parent)];
            for (count_t r = front.rows_begin; r < front.rows_begin + front.ncb(); ++r) {
                const index_t local = tree.relative_rows[static_cast<std::size_t>(r)];
                const index_t position =
                    local < parent.npiv ? parent.first_column + local
                                        : tree.rows[static_cast<std::size_t>(parent.rows_begin + local - parent.npiv)];
                REQUIRE(position == tree.rows[static_cast<std::size_t>(r)]);
            }
        }
    }
}
