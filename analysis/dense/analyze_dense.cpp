// SPDX-License-Identifier: BSD-3-Clause
#include "../analyze_parts.hpp"
#include "frond/analysis/dense_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

#include <numeric>

namespace frond {
namespace {

/// Blocks `mine`, mine + processes, ... of 0 .. n - 1.
std::vector<index_t> blocks_in_turn(count_t n, index_t block, index_t processes, index_t mine) {
    std::vector<index_t> numbers;
    if (block == 0) block = static_cast<index_t>(n);
    for (count_t first = count_t{mine} * block; first < n; first += count_t{processes} * block)
        for (count_t k = first; k < n && k < first + block; ++k) numbers.push_back(static_cast<index_t>(k));
    return numbers;
}

}  // namespace

std::vector<index_t> DenseLayout::rows_of(index_t rank, count_t order) const {
    if (rank >= ranks()) return {};
    return blocks_in_turn(order, row_block, process_rows, rank / process_columns);
}

std::vector<index_t> DenseLayout::columns_of(index_t rank, count_t order) const {
    if (rank >= ranks()) return {};
    return blocks_in_turn(order, column_block, process_columns, rank % process_columns);
}

namespace {

void check_options(const AnalysisOptions& options) {
    FROND_EXPECTS(options.matching != MatchingMode::on && options.scaling != ScalingMethod::matching,
                  "a dense matrix is not matched; leave matching and scaling at automatic, or take "
                  "scaling = equilibrate");
    FROND_EXPECTS(options.ordering == OrderingMethod::automatic || options.ordering == OrderingMethod::natural,
                  "a dense matrix is not ordered; leave ordering at automatic");
}

AssemblyTree one_front(index_t n) {
    AssemblyTree tree;
    tree.order = n;
    tree.child_begin.assign(n > 0 ? 2 : 1, 0);
    if (n == 0) return tree;
    tree.fronts.push_back({0, n, n, -1, 0});
    tree.first_descendant.push_back(0);
    return tree;
}

Factorization kind_of(const DenseFacts& a, Factorization asked) {
    if (asked == Factorization::automatic)
        return choose_kind(a.symmetry, a.is_complex, a.symmetry != Symmetry::general && a.may_be_definite());
    check_kind(asked, a.symmetry, a.is_complex);
    return asked;
}

void cut_in_blocks(index_t block, Mapping& mapping) {
    if (block == 0 || mapping.grids.empty()) return;
    TileGrid& grid = mapping.grids.front();
    const index_t n = grid.cut.back(), by_rule = n / grid.tiles();
    if (block < by_rule / 2 || block > 2 * by_rule || block >= n) return;
    grid.cut.clear();
    for (index_t row = 0; row < n; row += block) grid.cut.push_back(row);
    grid.cut.push_back(n);
    grid.own_tiles = grid.tiles();
}

}  // namespace

template <class T>
SparseMatrix<T> canonical_diagonal(std::vector<T> stored, Symmetry symmetry) {
    const auto n = static_cast<index_t>(stored.size());
    SparseMatrix<T> d;
    d.symmetry = symmetry;
    d.pattern.rows = d.pattern.cols = n;
    resize_in_huge_pages(d.pattern.begin, at(n) + 1);
    resize_in_huge_pages(d.pattern.row, at(n));
    std::iota(d.pattern.begin.begin(), d.pattern.begin.end(), count_t{0});
    std::iota(d.pattern.row.begin(), d.pattern.row.end(), 0);
    d.value = std::move(stored);
    if (symmetry == Symmetry::hermitian)
        for (T& value : d.value) value = T(real_part(value));
    return d;
}

template <class T>
SparseMatrix<T> diagonal_of(const DenseMatrixView<T>& a) {
    std::vector<T> stored;
    for (count_t j = 0; j < a.order; ++j) stored.push_back(a.column(j)[j]);
    return canonical_diagonal(std::move(stored), a.symmetry);
}

template <class T>
std::vector<double> roots_of_diagonal(const SparseMatrix<T>& diagonal) {
    std::vector<double> root;
    for (const T value : diagonal.value) {
        const auto d = static_cast<double>(real_part(value));
        if (!(d > 0)) return {};
        root.push_back(std::sqrt(d));
    }
    return root;
}

template <class T>
bool may_be_definite(const DenseMatrixView<T>& a, const std::vector<double>& root) {
    for (count_t j = 0; j < a.order; ++j)
        for (count_t i = first_row(a, j); i < end_row(a, j); ++i)
            if (i != j && size_of(a.column(j)[i]) >= root[at(i)] * root[at(j)]) return false;
    return true;
}

std::shared_ptr<const Analysis> analyze_dense(const DenseFacts& a, const AnalysisOptions& options) {
    const Stopwatch watch;
    check_options(options);
    const auto analysis = std::make_shared<Analysis>();
    const auto n = static_cast<index_t>(a.order);
    analysis->order = n;
    analysis->symmetry = a.symmetry;
    analysis->options = options;
    analysis->factorization = kind_of(a, options.factorization);
    if (!a.is_complex && analysis->factorization == Factorization::ldlh) analysis->factorization = Factorization::ldlt;
    analysis->row_order.resize(at(n));
    std::iota(analysis->row_order.begin(), analysis->row_order.end(), 0);
    analysis->column_order = analysis->row_order;
    analysis->tree = one_front(n);
    analysis->entry_map.front_begin.assign(analysis->tree.child_begin.size(), 0);
    set_cost(*analysis, predict_costs(analysis->tree, analysis->factorization));
    analysis->mapping = map_one_front(analysis->tree, analysis->cost, options);
    if (options.tile_size == 0 && !options.deterministic) cut_in_blocks(a.block, analysis->mapping);
    analysis->report.ordering = OrderingMethod::natural;
    analysis->report.structural_rank = n;
    analysis->report.seconds = analysis->report.symbolic_seconds = watch.seconds();
    return analysis;
}

#define FROND_INSTANTIATE(T)                                                   \
    template SparseMatrix<T> canonical_diagonal<T>(std::vector<T>, Symmetry);  \
    template SparseMatrix<T> diagonal_of<T>(const DenseMatrixView<T>&);        \
    template std::vector<double> roots_of_diagonal<T>(const SparseMatrix<T>&); \
    template bool may_be_definite<T>(const DenseMatrixView<T>&, const std::vector<double>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
