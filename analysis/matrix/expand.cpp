// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_form.hpp"
#include "frond/base/instantiate.hpp"

namespace frond {

count_t entries_full(const Pattern& pattern, Symmetry symmetry) {
    if (symmetry != Symmetry::symmetric && symmetry != Symmetry::hermitian) return pattern.entries();
    count_t diagonal = 0;
    for (index_t j = 0; j < pattern.cols; ++j) {
        const count_t e = pattern.begin[j];
        diagonal += e < pattern.begin[j + 1] && pattern.row[e] == j;
    }
    return 2 * pattern.entries() - diagonal;
}

template <class T>
SparseMatrix<T> expanded(const SparseMatrix<T>& a) {
    if (a.symmetry != Symmetry::symmetric && a.symmetry != Symmetry::hermitian) return a;
    return detail::mirror_lower(a, a.symmetry);
}

#define FROND_INSTANTIATE(T) template SparseMatrix<T> expanded<T>(const SparseMatrix<T>&);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
