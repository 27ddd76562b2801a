// SPDX-License-Identifier: BSD-3-Clause
#include "../canonical_form.hpp"
#include "column_blocks.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
count_t sum_duplicates(SparseMatrix<T>& a, index_t threads) {
    const Pattern& p = a.pattern;
    SparseMatrix<T> sums = columns_by_blocks<T>(
        p.cols, threads,
        [&](index_t j) {
            count_t rows = 0;
            for (count_t e = p.begin[at(j)]; e < p.begin[at(j) + 1]; ++e)
                rows += e == p.begin[at(j)] || p.row[at(e) - 1] != p.row[at(e)];
            return rows;
        },
        [&](index_t j, index_t* row, T* value) {
            for (count_t e = p.begin[at(j)]; e < p.begin[at(j) + 1]; ++e) {
                if (e > p.begin[at(j)] && p.row[at(e) - 1] == p.row[at(e)]) {
                    value[-1] += a.value[at(e)];
                    continue;
                }
                *row++ = p.row[at(e)];
                *value++ = a.value[at(e)];
            }
        });
    const count_t merged = p.entries() - sums.entries();
    sums.pattern.rows = p.rows;
    sums.symmetry = a.symmetry;
    a = std::move(sums);
    return merged;
}

#define FROND_INSTANTIATE(T) template count_t sum_duplicates<T>(SparseMatrix<T>&, index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::detail
