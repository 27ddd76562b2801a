// SPDX-License-Identifier: BSD-3-Clause
// A^T and products of matrices in row blocks, against those of one process.
#include "block_matrix.hpp"
#include "refinement/forward_error.hpp"
#include "row_blocks/products/row_products.hpp"
#include "scalar_lists.hpp"

using namespace frond;
using namespace frond::test;

namespace {

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};
constexpr index_t columns = 3, beyond = 2;  // of X, and rows of its array that nobody reads

template <class T>
std::vector<T> some_x(index_t n) {
    Random random(5);
    std::vector<T> x(at(n + beyond) * at(columns));
    for (T& v : x) v = random.value<T>();
    return x;
}

/// What one process computes of op(A) X and |op(A)| |X|; sums in another order differ by roundings.
template <class T>
void check_against_one(const SparseMatrix<T>& a, Operation op, const std::vector<T>& x,
                       const typename detail::RowProducts<T>::Sums& sums) {
    const count_t n = a.rows();
    const std::vector<T> zero(at(n) * at(columns));
    std::vector<T> product(zero.size()), r(zero.size());
    std::vector<real_t<T>> sizes(zero.size());
    multiply(a, op, columns, x.data(), n + beyond, product.data(), n);
    residual_and_weights(a, op, columns, x.data(), n + beyond, zero.data(), n, r.data(), n, sizes.data(), n);
    REQUIRE(sums.product.size() == product.size());
    REQUIRE(sums.sizes.size() == sizes.size());
    constexpr auto rounding = 100 * std::numeric_limits<real_t<T>>::epsilon();
    bool alike = true;
    for (std::size_t i = 0; i < product.size(); ++i)
        alike = alike && std::abs(sums.product[i] - product[i]) <= rounding * sizes[i] &&
                std::abs(sums.sizes[i] - sizes[i]) <= rounding * sizes[i];
    CHECK(alike);
}

template <class T>
void check_products(const SparseMatrix<T>& a, Operation op, const ParallelFor& parallel_for = {}) {
    typename detail::RowProducts<T>::Sums alone;
    const std::vector<T> x = some_x<T>(a.rows());
    on_some_ranks([&](const SomeRanks& some) {
        const BlockMatrix<T> m(a, some);
        detail::RowProducts<T> products(m.pattern, m.value, parallel_for);
        const auto sums = products.apply(*m.ranks, op, {x.data(), a.rows(), columns, a.rows() + beyond});
        const auto again = products.apply(*m.ranks, op, {x.data(), a.rows(), columns, a.rows() + beyond});
        const std::vector<index_t> entries = products.entries_of_rows(*m.ranks, op);
        if (some.rank() > 0) {
            CHECK(sums.product.empty());
            CHECK(sums.sizes.empty());
            CHECK(entries.empty());
            return;
        }
        if (some.size() == 1) alone = sums;
        check_against_one(a, op, x, sums);
        CHECK(sums.product == alone.product);
        CHECK(sums.sizes == alone.sizes);
        CHECK(sums.product == again.product);
        CHECK(entries == entries_of_rows(a, op));
    });
}

/// Entry (i, j) of the rows that a rank has is entry (j, i) of A.
template <class T>
void check_transposed(const SparseMatrix<T>& a, const SomeRanks& some) {
    const BlockMatrix<T> m(a, some);
    const detail::BlockRows<T> t = detail::transposed_rows(*m.ranks, *m.pattern, *m.value);
    std::vector<count_t> entries{t.pattern->entries()};
    m.ranks->all_reduce_sum(entries);
    CHECK(entries[0] == a.entries());
    bool alike = true;
    detail::for_block_entries(*t.pattern, [&](count_t e, index_t i, index_t j) {
        const auto begin = a.pattern.row.begin() + a.pattern.begin[at(i)];
        const auto end = a.pattern.row.begin() + a.pattern.begin[at(i) + 1], found = std::find(begin, end, j);
        alike = alike && found != end && a.value[at(found - a.pattern.row.begin())] == t.value->at(at(e));
    });
    CHECK(alike);
    const auto pattern = detail::transposed_pattern(*m.ranks, *m.pattern);
    CHECK(pattern->begin == t.pattern->begin);
    CHECK(pattern->column == t.pattern->column);
    const detail::BlockRows<T> back = detail::transposed_rows(*m.ranks, *t.pattern, *t.value);
    CHECK(back.pattern->begin == m.pattern->begin);
    CHECK(back.pattern->column == m.pattern->column);
    CHECK(*back.value == *m.value);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("row blocks: products are those of one process, with the same bits on any number of ranks", T,
                          products_of_scalar) {
    for (const SparseMatrix<T>& a : matrices_of_each_kind<T>())
        for (const Operation op : operations) check_products(a, op);
}
TEST_CASE_TEMPLATE_APPLY(products_of_scalar, Scalars);

TEST_CASE("row blocks: products in pieces, in any order") {
    const ParallelFor backwards = [](count_t pieces, const std::function<void(count_t)>& body) {
        while (pieces > 0) body(--pieces);
    };
    const SparseMatrix<double> a = random_sparse<double>(9000, 2, Symmetry::general, false, 3);
    check_products(a, Operation::transpose, backwards);
}

TEST_CASE_TEMPLATE_DEFINE("row blocks: the transposed rows", T, transposed_of_scalar) {
    on_some_ranks([](const SomeRanks& some) {
        for (const index_t n : {0, 1, 2, 60})
            check_transposed(n < 3 ? random_sparse<T>(n, 1, Symmetry::general, true, 2)
                                   : badly_scaled<T>(n, Symmetry::general, 2),
                             some);
    });
}
TEST_CASE_TEMPLATE_APPLY(transposed_of_scalar, Scalars);
