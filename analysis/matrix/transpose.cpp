// SPDX-License-Identifier: BSD-3-Clause
// A^T by one bucket sort (Gustavson 1978): O(entries + rows + cols), rows of A^T ascending,
// equal ones in their old order.
#include "frond/base/instantiate.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <numeric>

namespace frond {
namespace {

/// t.begin and t.row of A^T; place(e, at): entry e of A is entry `at` of A^T.
template <class Place>
Pattern transpose(const Pattern& a, Place&& place) {
    Pattern t;
    t.rows = a.cols;
    t.cols = a.rows;
    t.begin.assign(static_cast<std::size_t>(a.rows) + 1, 0);
    t.row.resize(a.row.size());
    count_t* const next = t.begin.data();
    for (const index_t i : a.row) ++next[i];
    std::exclusive_scan(next, next + a.rows, next, count_t{0});
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
            const count_t at = next[a.row[e]]++;
            t.row[at] = j;
            place(e, at);
        }
    // next[i] is now the begin of row i + 1.
    for (index_t i = a.rows; i > 0; --i) next[i] = next[i - 1];
    next[0] = 0;
    return t;
}

}  // namespace

Pattern transposed(const Pattern& a) {
    return transpose(a, [](count_t, count_t) {});
}

template <class T>
SparseMatrix<T> transposed(const SparseMatrix<T>& a) {
    SparseMatrix<T> t;
    t.symmetry = a.symmetry;
    t.value.resize(a.value.size());
    t.pattern = transpose(a.pattern, [&](count_t e, count_t at) { t.value[at] = a.value[e]; });
    return t;
}

#define FROND_INSTANTIATE(T) template SparseMatrix<T> transposed<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
