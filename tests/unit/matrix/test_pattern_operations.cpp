// SPDX-License-Identifier: BSD-3-Clause
// Transposition, expansion, graph of A + A^T and hashes.
#include "canonical_checks.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/operations.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace frond;
using namespace frond::test;

namespace {

/// 5 x 3 with an empty row and an empty column.
template <class T>
SparseMatrix<T> rectangular() {
    SparseMatrix<T> a;
    a.pattern.rows = 5;
    a.pattern.cols = 3;
    a.pattern.begin = {0, 3, 3, 5};
    a.pattern.row = {0, 2, 4, 1, 2};
    for (int k = 1; k <= 5; ++k) a.value.push_back(T(static_cast<real_t<T>>(k)));
    return a;
}

Pattern reference_graph(const Pattern& a) {
    Edges edges;
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) edges.emplace_back(a.row[e], j);
    return graph_of(a.cols, edges);
}

void check_graph(const Pattern& a) {
    const Pattern graph = symmetrized_graph(a);
    const Pattern expected = reference_graph(a);
    CHECK(graph.rows == a.rows);
    CHECK(graph.begin == expected.begin);
    CHECK(graph.row == expected.row);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("A^T of a rectangular matrix, and (A^T)^T = A", T, transposition) {
    const SparseMatrix<T> a = rectangular<T>();
    const SparseMatrix<T> t = transposed(a);
    check_canonical(t);
    CHECK(t.rows() == 3);
    CHECK(t.cols() == 5);
    CHECK(t.pattern.begin == std::vector<count_t>{0, 1, 2, 4, 4, 5});
    CHECK(t.pattern.row == std::vector<index_t>{0, 2, 0, 2, 0});
    CHECK(t.value == std::vector<T>{T(1), T(4), T(2), T(5), T(3)});
    check_equal(transposed(t), a);
    CHECK(transposed(a.pattern).row == t.pattern.row);
    CHECK(transposed(a.pattern).begin == t.pattern.begin);
}

TEST_CASE_TEMPLATE_APPLY(transposition, Scalars);

TEST_CASE_TEMPLATE_DEFINE("expanded holds both triangles, mirrored by the symmetry", T, expansion) {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
        const SparseMatrix<T> a = random_sparse<T>(40, 4, symmetry, false, 11);
        const SparseMatrix<T> full = expanded(a);
        check_canonical(full);
        CHECK(full.symmetry == Symmetry::general);
        CHECK(full.entries() == entries_full(a.pattern, a.symmetry));
        const SparseMatrix<T> t = transposed(full);
        CHECK(t.pattern.row == full.pattern.row);
        bool mirrored = true;
        for (std::size_t e = 0; e < t.value.size(); ++e)
            mirrored =
                mirrored && t.value[e] == (symmetry == Symmetry::hermitian ? conjugate(full.value[e]) : full.value[e]);
        CHECK(mirrored);
        std::size_t kept = 0;
        bool same = true;
        for (index_t j = 0; j < full.cols(); ++j)
            for (count_t e = full.pattern.begin[j]; e < full.pattern.begin[j + 1]; ++e)
                if (full.pattern.row[e] >= j) same = same && full.value[e] == a.value[kept++];
        CHECK(same);
        CHECK(kept == a.value.size());
    }
    const SparseMatrix<T> general = random_sparse<T>(20, 3, Symmetry::general, false, 12);
    check_equal(expanded(general), general);
    CHECK(entries_full(general.pattern, Symmetry::general) == general.entries());
}

TEST_CASE_TEMPLATE_APPLY(expansion, Scalars);

TEST_CASE(
    "graph of A + A^T: lower triangle, symmetric pattern, unsymmetric pattern, with and "
    "without diagonal") {
    check_graph(Pattern{});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const index_t n = static_cast<index_t>(1 + 7 * seed);
        check_graph(random_sparse<double>(n, 3, Symmetry::symmetric, false, seed).pattern);
        check_graph(expanded(random_sparse<double>(n, 3, Symmetry::symmetric, false, seed)).pattern);
        check_graph(random_sparse<double>(n, 3, Symmetry::general, false, seed).pattern);
        check_graph(random_graph(n, 4 * n, seed));
    }
    // Nearly symmetric: one entry without its mirror image, in either triangle.
    for (const auto& [row, column] : {std::pair<index_t, index_t>{0, 4}, {4, 0}, {2, 3}, {3, 2}}) {
        Edges none;
        Pattern a = path_graph(5);
        const auto at = std::lower_bound(a.row.begin() + a.begin[column], a.row.begin() + a.begin[column + 1], row);
        if (at != a.row.begin() + a.begin[column + 1] && *at == row) {
            a.row.erase(at);
            for (index_t j = column + 1; j <= 5; ++j) --a.begin[j];
        } else {
            a.row.insert(at, row);
            for (index_t j = column + 1; j <= 5; ++j) ++a.begin[j];
        }
        check_graph(a);
    }
    CHECK_THROWS_AS(symmetrized_graph(rectangular<double>().pattern), InvalidArgument);
}

TEST_CASE("hashes differ for every single change and agree for equal input") {
    const SparseMatrix<double> a = random_sparse<double>(50, 4, Symmetry::general, false, 3);
    std::set<std::uint64_t> seen{hash_pattern(a.pattern)};
    CHECK(hash_pattern(Pattern(a.pattern)) == *seen.begin());
    for (std::size_t e = 0; e < a.pattern.row.size(); ++e) {
        Pattern changed = a.pattern;
        changed.row[e] ^= 1;
        CHECK(seen.insert(hash_pattern(changed)).second);
    }
    for (std::size_t j = 1; j < a.pattern.begin.size(); ++j) {
        Pattern changed = a.pattern;
        ++changed.begin[j];
        CHECK(seen.insert(hash_pattern(changed)).second);
    }
    Pattern taller = a.pattern;
    ++taller.rows;
    CHECK(seen.insert(hash_pattern(taller)).second);
}

TEST_CASE("hashes of long arrays are made in pieces, in any order, and see each of them") {
    Pattern pattern;
    pattern.rows = 7;
    pattern.row.assign(800000, 5);  // some three pieces; a hash need not be of a matrix
    const std::uint64_t hash = hash_pattern(pattern);
    count_t pieces = 0;
    const ParallelFor backwards = [&pieces](count_t chunks, const std::function<void(count_t)>& body) {
        pieces = std::max(pieces, chunks);
        for (count_t c = chunks; c-- > 0;) body(c);
    };
    CHECK(hash_pattern(pattern, backwards) == hash);
    CHECK(pieces > 2);
    std::set<std::uint64_t> seen{hash};
    for (const std::size_t e : {std::size_t{0}, std::size_t{262143}, std::size_t{262144}, pattern.row.size() - 1}) {
        Pattern changed = pattern;
        changed.row[e] = 6;
        CHECK(seen.insert(hash_pattern(changed)).second);
    }
    pattern.row.push_back(5);
    CHECK(seen.insert(hash_pattern(pattern)).second);
}
