// SPDX-License-Identifier: BSD-3-Clause
#include "column_kernels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"

#include <algorithm>

namespace frond {

template <class T>
MatrixNorms matrix_norms(const SparseMatrix<T>& a) {
    const Pattern& p = a.pattern;
    const bool one_triangle = a.symmetry == Symmetry::symmetric || a.symmetry == Symmetry::hermitian;
    MatrixNorms norms;
    std::vector<double> row_sum(static_cast<std::size_t>(p.rows), 0.0);
    for (index_t j = 0; j < p.cols; ++j) {
        double column_sum = 0;
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            const double size = static_cast<double>(detail::modulus(a.value[e]));
            norms.max = std::max(norms.max, size);
            row_sum[p.row[e]] += size;
            if (!one_triangle || p.row[e] != j) column_sum += size;
        }
        if (one_triangle)
            row_sum[j] += column_sum;
        else
            norms.one = std::max(norms.one, column_sum);
    }
    for (const double sum : row_sum) norms.infinity = std::max(norms.infinity, sum);
    if (one_triangle) norms.one = norms.infinity;
    return norms;
}

#define FROND_INSTANTIATE(T) template MatrixNorms matrix_norms<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
