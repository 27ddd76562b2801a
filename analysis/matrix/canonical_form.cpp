// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_form.hpp"

#include "check_entries.hpp"
#include "frond/base/instantiate.hpp"
#include "mirror.hpp"

namespace frond::detail {

template <class T>
void check_diagonal(const SparseMatrix<T>& a, count_t base) {
    if (a.symmetry != Symmetry::hermitian && a.symmetry != Symmetry::skew_symmetric) return;
    const Pattern& p = a.pattern;
    for (index_t j = 0; j < p.cols; ++j) {
        const count_t e = p.begin[j];
        if (e == p.begin[j + 1] || p.row[e] != j) continue;
        const bool good =
            a.symmetry == Symmetry::hermitian ? a.value[e] == T(real_part(a.value[e])) : a.value[e] == T(0);
        if (!good) fail_diagonal(j + base, text_of(a.value[e]), a.symmetry);
    }
}

template <class T>
SparseMatrix<T> mirror_lower(const SparseMatrix<T>& a, Symmetry symmetry) {
    const Pattern& p = a.pattern;
    SparseMatrix<T> full;
    full.pattern.rows = p.rows;
    full.pattern.cols = p.cols;
    std::vector<count_t>& begin = full.pattern.begin;
    begin.assign(static_cast<std::size_t>(p.cols) + 1, 0);
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            ++begin[j + 1];
            if (p.row[e] != j) ++begin[p.row[e] + 1];
        }
    for (index_t j = 0; j < p.cols; ++j) begin[j + 1] += begin[j];
    full.pattern.row.resize(begin.back());
    full.value.resize(begin.back());
    // Columns ascend, so column j has received all its rows < j before its own rows >= j arrive.
    std::vector<count_t> next(begin.begin(), begin.end() - 1);
    for (index_t j = 0; j < p.cols; ++j)
        for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
            const index_t i = p.row[e];
            full.pattern.row[next[j]] = i;
            full.value[next[j]++] = a.value[e];
            if (i == j) continue;
            full.pattern.row[next[i]] = j;
            full.value[next[i]++] = mirrored(a.value[e], symmetry);
        }
    return full;
}

#define FROND_INSTANTIATE(T)                                          \
    template void check_diagonal<T>(const SparseMatrix<T>&, count_t); \
    template SparseMatrix<T> mirror_lower<T>(const SparseMatrix<T>&, Symmetry);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::detail
