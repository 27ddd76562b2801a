// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {
namespace {

void check_layout(const DenseLayout& layout) {
    FROND_EXPECTS(
        layout.row_block >= 0 && layout.column_block >= 0 && layout.process_rows >= 1 && layout.process_columns >= 1,
        "the layout of the dense matrix has blocks of " + std::to_string(layout.row_block) + " x " +
            std::to_string(layout.column_block) + " on a grid of " + std::to_string(layout.process_rows) + " x " +
            std::to_string(layout.process_columns) + " ranks; blocks must not be negative, and the grid needs a rank");
}

template <class T>
void check_kind(const DenseMatrixView<T>& a) {
    FROND_EXPECTS(a.order >= 0 && a.order <= std::numeric_limits<index_t>::max() / 2,
                  "the order of the dense matrix is " + std::to_string(a.order) + "; give 0 to " +
                      std::to_string(std::numeric_limits<index_t>::max() / 2));
    FROND_EXPECTS(a.symmetry != Symmetry::skew_symmetric,
                  "a skew-symmetric dense matrix must be given whole; fill both triangles and call it general");
    FROND_EXPECTS(a.symmetry != Symmetry::general || a.stored == Triangle::both,
                  "a general dense matrix has no triangle that stands for both; leave `stored` at both, or say "
                  "symmetric or Hermitian");
}

/// Checks the array, which has so many rows and columns.
template <class T>
void check_array(const DenseMatrixView<T>& a, count_t rows, count_t columns, const std::string& order) {
    constexpr count_t most_bytes = std::numeric_limits<count_t>::max() / 2;
    FROND_EXPECTS(a.ld == 0 || a.ld >= rows, "the leading dimension of the dense matrix is " + std::to_string(a.ld) +
                                                 ", its " + order + " " + std::to_string(rows) +
                                                 "; give at least that, or 0 for it");
    const count_t ld = a.ld > 0 ? a.ld : rows;
    FROND_EXPECTS(columns == 0 || ld <= most_bytes / static_cast<count_t>(sizeof(T)) / columns,
                  "a dense matrix of order " + std::to_string(a.order) + " with leading dimension " +
                      std::to_string(ld) + " has more bytes than 64 bits can count; correct the leading dimension");
    FROND_EXPECTS(rows == 0 || columns == 0 || a.data != nullptr,
                  "the dense matrix has a null pointer in place of its entries; give column-major data");
}

void check_map(const std::optional<std::span<const index_t>>& map, count_t order, const std::string& name) {
    if (!map) return;
    std::vector<bool> seen(at(order), false);
    for (std::size_t k = 0; k < map->size(); ++k) {
        const index_t number = (*map)[k];
        const std::string entry = name + "[" + std::to_string(k) + "] of the dense matrix is " + std::to_string(number);
        FROND_EXPECTS(number >= 0 && number < order,
                      entry + ", but the matrix has the order " + std::to_string(order) + "; count from 0");
        FROND_EXPECTS(!seen[at(number)], entry + ", which is there already; name each once");
        seen[at(number)] = true;
    }
}

}  // namespace

template <class T>
void check_dense_matrix(const DenseMatrixView<T>& a) {
    check_layout(a.layout);
    FROND_EXPECTS(a.layout.ranks() == 1,
                  "the dense matrix is given to " + std::to_string(a.layout.ranks()) +
                      " ranks, but the session is of one process; give it the whole matrix, or a communicator");
    FROND_EXPECTS(!a.has_maps(),
                  "row_map and column_map are for sessions with a communicator; give the whole matrix without them");
    check_kind(a);
    check_array(a, a.order, a.order, "order");
}

template <class T>
void check_dense_part(const DenseMatrixView<T>& a, index_t rank, index_t ranks) {
    check_layout(a.layout);
    FROND_EXPECTS(a.layout.ranks() <= ranks, "the dense matrix is given to " + std::to_string(a.layout.ranks()) +
                                                 " ranks, but there are " + std::to_string(ranks) +
                                                 "; take a smaller grid");
    FROND_EXPECTS(!a.has_maps() || a.layout.ranks() == 1,
                  "the dense matrix has a layout of several ranks and a row_map or column_map; give one of them");
    check_kind(a);
    check_map(a.row_map, a.order, "row_map");
    check_map(a.column_map, a.order, "column_map");
    const auto count = [&](const auto& map, const std::vector<index_t>& by_layout) {
        if (!a.has_maps()) return static_cast<count_t>(by_layout.size());
        return map ? static_cast<count_t>(map->size()) : a.order;
    };
    const count_t rows = count(a.row_map, a.layout.rows_of(rank, a.order));
    check_array(a, rows, count(a.column_map, a.layout.columns_of(rank, a.order)), "number of rows here");
}

#define FROND_INSTANTIATE(T)                                        \
    template void check_dense_matrix<T>(const DenseMatrixView<T>&); \
    template void check_dense_part<T>(const DenseMatrixView<T>&, index_t, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
