// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_form.hpp"

#include "check_entries.hpp"
#include "frond/base/instantiate.hpp"
#include "mirror.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace frond::detail {

template <class T>
void sort_columns(SparseMatrix<T>& a) {
    a = transposed(a);
    a = transposed(a);
}

template <class T>
count_t sum_duplicates(SparseMatrix<T>& a) {
    Pattern& p = a.pattern;
    count_t kept = 0;
    for (index_t j = 0; j < p.cols; ++j) {
        const count_t first = kept;
        const count_t begin = std::exchange(p.begin[j], first);
        for (count_t e = begin; e < p.begin[j + 1]; ++e) {
            if (kept > first && p.row[kept - 1] == p.row[e]) {
                a.value[kept - 1] += a.value[e];
                continue;
            }
            p.row[kept] = p.row[e];
            a.value[kept++] = a.value[e];
        }
    }
    const count_t merged = p.entries() - kept;
    p.begin.back() = kept;
    p.row.resize(kept);
    a.value.resize(kept);
    return merged;
}

namespace {

/// Two sums of the same terms in another order agree to 64 eps max(|a_ij|, |a_ji|), and where the
/// terms cancel, to 64 eps sqrt(s_i s_j) with s_i the largest entry of row and column i: so large are
/// the terms where they come from definite parts. Anything else is another matrix.
template <class T>
class Agreement {
public:
    using R = real_t<T>;

    explicit Agreement(const SparseMatrix<T>& a) : a_(a) {}

    bool operator()(index_t i, index_t j, T x, T y) {
        constexpr R bound = 64 * std::numeric_limits<R>::epsilon();
        const R difference = std::abs(x - y);
        if (x == y || difference <= bound * std::max(std::abs(x), std::abs(y))) return true;
        if (size_.empty()) find_sizes();
        return difference <= bound * std::sqrt(size_[i]) * std::sqrt(size_[j]);
    }

private:
    void find_sizes() {
        const Pattern& p = a_.pattern;
        size_.assign(static_cast<std::size_t>(p.cols), R(0));
        for (index_t j = 0; j < p.cols; ++j)
            for (count_t e = p.begin[j]; e < p.begin[j + 1]; ++e) {
                const R size = std::abs(a_.value[e]);
                size_[j] = std::max(size_[j], size);
                size_[p.row[e]] = std::max(size_[p.row[e]], size);
            }
    }

    const SparseMatrix<T>& a_;
    std::vector<R> size_;  // [n] s_i, once it is needed
};

/// Walks column j of A and of A^T side by side: visit(row, a_ij, mirror(a_ji)), 0 where absent.
template <class T, class Visit>
void for_each_pair(const SparseMatrix<T>& a, const SparseMatrix<T>& t, index_t j, Visit&& visit) {
    const Pattern& p = a.pattern;
    const Pattern& q = t.pattern;
    count_t e = p.begin[j];
    count_t f = q.begin[j];
    while (e < p.begin[j + 1] || f < q.begin[j + 1]) {
        constexpr index_t none = std::numeric_limits<index_t>::max();
        const index_t row = e < p.begin[j + 1] ? p.row[e] : none;
        const index_t mirror_row = f < q.begin[j + 1] ? q.row[f] : none;
        const index_t i = std::min(row, mirror_row);
        const T x = row == i ? a.value[e++] : T(0);
        const T y = mirror_row == i ? mirrored(t.value[f++], a.symmetry) : T(0);
        visit(i, x, y);
    }
}

}  // namespace

template <class T>
void keep_lower(SparseMatrix<T>& a, count_t base) {
    const SparseMatrix<T> t = transposed(a);
    const bool skew = a.symmetry == Symmetry::skew_symmetric;
    SparseMatrix<T> lower;
    lower.symmetry = a.symmetry;
    lower.pattern.rows = lower.pattern.cols = a.cols();
    lower.pattern.begin.reserve(a.pattern.begin.size());
    lower.pattern.begin.push_back(0);
    const std::size_t bound = static_cast<std::size_t>(a.entries() + a.cols()) / 2 + 1;
    lower.pattern.row.reserve(bound);  // exceeded only where one of a pair is missing
    lower.value.reserve(bound);
    Agreement<T> agree(a);
    for (index_t j = 0; j < a.cols(); ++j) {
        for_each_pair(a, t, j, [&](index_t i, T x, T y) {
            if (i < j) return;
            if (i > j && !agree(i, j, x, y))
                fail_pair(i + base, j + base, text_of(x), text_of(mirrored(y, a.symmetry)), a.symmetry);
            lower.pattern.row.push_back(i);
            lower.value.push_back(x);
        });
        lower.pattern.begin.push_back(static_cast<count_t>(lower.pattern.row.size()));
    }
    check_diagonal(lower, base);
    a = skew ? mirror_lower(lower, Symmetry::skew_symmetric) : std::move(lower);
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
    template void sort_columns<T>(SparseMatrix<T>&);                  \
    template count_t sum_duplicates<T>(SparseMatrix<T>&);             \
    template void keep_lower<T>(SparseMatrix<T>&, count_t);           \
    template void check_diagonal<T>(const SparseMatrix<T>&, count_t); \
    template SparseMatrix<T> mirror_lower<T>(const SparseMatrix<T>&, Symmetry);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::detail
