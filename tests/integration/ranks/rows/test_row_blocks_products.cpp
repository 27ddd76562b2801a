// SPDX-License-Identifier: BSD-3-Clause
// A^T and products of matrices in row blocks, against those of one process.
#include "block_matrix.hpp"
#include "system/rows/transposed_rows.hpp"
#include "system/rows/row_operator.hpp"
#include "system/rows/row_plan.hpp"
#include "scalar_lists.hpp"
#include "system/backward_error.hpp"
#include "system/sparse_operator.hpp"

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

/// op(A) X, |op(A)| |X| and the errors of X as a solution for some right-hand sides, on rank 0.
template <class T>
struct Products {
    std::vector<T> product;
    std::vector<real_t<T>> sizes;
    std::vector<index_t> entries;
    std::vector<double> errors;

    bool operator==(const Products&) const = default;
};

/// What one process computes; sums in another order differ by roundings.
template <class T>
void check_against_one(const SparseMatrix<T>& a, Operation op, const std::vector<T>& x, const Products<T>& found) {
    const count_t n = a.rows();
    const std::vector<T> zero(at(n) * at(columns));
    std::vector<T> product(zero.size()), r(zero.size());
    std::vector<real_t<T>> sizes(zero.size());
    multiply(a, op, columns, x.data(), n + beyond, product.data(), n);
    residual_and_weights(a, op, columns, x.data(), n + beyond, zero.data(), n, r.data(), n, sizes.data(), n);
    REQUIRE(found.product.size() == product.size());
    REQUIRE(found.sizes.size() == sizes.size());
    constexpr auto rounding = 100 * std::numeric_limits<real_t<T>>::epsilon();
    bool alike = true;
    for (std::size_t i = 0; i < product.size(); ++i)
        alike = alike && std::abs(found.product[i] - product[i]) <= rounding * sizes[i] &&
                std::abs(found.sizes[i] - sizes[i]) <= rounding * sizes[i];
    CHECK(alike);
    CHECK(found.entries == SparseOperator<T>(a, op).entries_of_rows());
}

template <class T>
Products<T> products_on_ranks(const BlockMatrix<T>& m, const SomeRanks& some, Operation op, const std::vector<T>& x,
                              const ParallelFor& parallel_for) {
    const index_t n = m.pattern->cuts.order();
    const auto a = std::make_shared<const detail::RowOperator<T>>(*m.ranks, m.pattern, m.value, op, parallel_for);
    const index_t rows = a->rows(), ld = std::max(rows, 1);
    std::vector<T> product(at(rows) * at(columns)), r(product.size()), b(product.size(), T(1));
    std::vector<real_t<T>> sizes(product.size());
    const DenseView<const T> mine{x.data() + m.pattern->first(), rows, columns, n + beyond};
    const DenseView<T> product_view{product.data(), rows, columns, ld}, r_view{r.data(), rows, columns, ld};
    a->multiply(mine, product_view);
    a->residual(mine, r_view, r_view, sizes.data());
    for (T& of_row : r) of_row = T(0) - of_row;
    CHECK(r == product);
    Products<T> found;
    if (some.rank() == 0) {
        found.product.resize(at(n) * at(columns));
        found.sizes.resize(found.product.size());
    }
    const index_t whole_ld = std::max(n, 1);
    detail::gather_rows<T>(*m.ranks, m.pattern->cuts, product_view, {found.product.data(), n, columns, whole_ld});
    detail::gather_rows<real_t<T>>(*m.ranks, m.pattern->cuts, {sizes.data(), rows, columns, ld},
                                   {found.sizes.data(), n, columns, whole_ld});
    found.entries = detail::at_rank_0(*m.ranks, a->entries_of_rows());
    const std::vector<double> scale(at(rows), 1e-3);
    const LinearSystem<T> system(a, &scale);
    for (const BackwardError& error :
         backward_errors<T>(system, mine, {b.data(), rows, columns, ld}, {r.data(), rows, columns, ld}))
        found.errors.insert(found.errors.end(), {error.normwise, error.componentwise, system.norm()});
    return found;
}

template <class T>
void check_products(const SparseMatrix<T>& a, Operation op, const ParallelFor& parallel_for = {}) {
    Products<T> alone;
    const std::vector<T> x = some_x<T>(a.rows());
    on_some_ranks([&](const SomeRanks& some) {
        const Products<T> found = products_on_ranks(BlockMatrix<T>(a, some), some, op, x, parallel_for);
        CHECK(found.errors.size() == at(3 * columns));
        if (some.rank() > 0) return;
        if (some.size() == 1) alone = found;
        check_against_one(a, op, x, found);
        CHECK(found == alone);
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
