// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/dense_matrix_view.hpp"

namespace frond {
namespace {

void check_layout(const DenseLayout& layout) {
    FROND_EXPECTS(
        layout.row_block >= 0 && layout.column_block >= 0 && layout.process_rows >= 1 && layout.process_columns >= 1,
        "the layout of the dense matrix has blocks of " + std::to_string(layout.row_block) + " x " +
            std::to_string(layout.column_block) + " on a grid of " + std::to_string(layout.process_rows) + " x " +
            std::to_string(layout.process_columns) + " ranks; blocks must not be negative, and the grid needs a rank");
    FROND_EXPECTS(layout.ranks() == 1, "the dense matrix is dealt to " + std::to_string(layout.ranks()) +
                                           " ranks; one rank factors dense matrices as yet: give it the whole matrix");
}

}  // namespace

template <class T>
void check_dense_matrix(const DenseMatrixView<T>& a) {
    constexpr count_t most_bytes = std::numeric_limits<count_t>::max() / 2;
    check_layout(a.layout);
    FROND_EXPECTS(a.order >= 0 && a.order <= std::numeric_limits<index_t>::max() / 2,
                  "the order of the dense matrix is " + std::to_string(a.order) + "; give 0 to " +
                      std::to_string(std::numeric_limits<index_t>::max() / 2));
    FROND_EXPECTS(a.ld == 0 || a.ld >= a.order, "the leading dimension of the dense matrix is " + std::to_string(a.ld) +
                                                    ", its order " + std::to_string(a.order) +
                                                    "; give at least the order, or 0 for the order");
    const count_t ld = a.ld > 0 ? a.ld : a.order;
    FROND_EXPECTS(a.order == 0 || ld <= most_bytes / static_cast<count_t>(sizeof(T)) / a.order,
                  "a dense matrix of order " + std::to_string(a.order) + " with leading dimension " +
                      std::to_string(ld) + " has more bytes than 64 bits can count; correct the leading dimension");
    FROND_EXPECTS(a.order == 0 || a.data != nullptr,
                  "the dense matrix has a null pointer in place of its entries; give column-major data");
    FROND_EXPECTS(a.symmetry != Symmetry::skew_symmetric,
                  "a skew-symmetric dense matrix must be given whole; fill both triangles and call it general");
    FROND_EXPECTS(a.symmetry != Symmetry::general || a.stored == Triangle::both,
                  "a general dense matrix has no triangle that stands for both; leave `stored` at both, or say "
                  "symmetric or Hermitian");
}

#define FROND_INSTANTIATE(T) template void check_dense_matrix<T>(const DenseMatrixView<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
