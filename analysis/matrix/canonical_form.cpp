// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_form.hpp"

#include "check_entries.hpp"
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
    template count_t sum_duplicates<T>(SparseMatrix<T>&, index_t);    \
    template void check_diagonal<T>(const SparseMatrix<T>&, count_t); \
    template SparseMatrix<T> mirror_lower<T>(const SparseMatrix<T>&, Symmetry);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::detail

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
