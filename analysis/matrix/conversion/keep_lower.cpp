// SPDX-License-Identifier: BSD-3-Clause
#include "../canonical_form.hpp"
#include "../check_entries.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "sort_columns.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace frond::detail {
namespace {

/// Two sums of the same terms in another order agree to 64 eps max(|a_ij|, |a_ji|), and where the
/// terms cancel, to 64 eps sqrt(s_i s_j) with s_i the largest entry of row and column i: so large are
/// the terms where they come from definite parts. Anything else is another matrix.
template <class T>
class Agreement {
public:
    using R = real_t<T>;

    explicit Agreement(const SparseMatrix<T>& a) : a_(a) {}

    /// True: x and y are close without the bound of row and column.
    static bool is_close(T x, T y) { return x == y || std::abs(x - y) <= bound * std::max(std::abs(x), std::abs(y)); }

    bool operator()(index_t i, index_t j, T x, T y) {
        if (is_close(x, y)) return true;
        if (size_.empty()) find_sizes();
        return std::abs(x - y) <= bound * std::sqrt(size_[i]) * std::sqrt(size_[j]);
    }

private:
    static constexpr R bound = 64 * std::numeric_limits<R>::epsilon();

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

/// Throws for the first pair, by columns, that does not agree.
template <class T>
void check_pairs(const SparseMatrix<T>& a, const SparseMatrix<T>& t, count_t base) {
    Agreement<T> agree(a);
    for (index_t j = 0; j < a.cols(); ++j)
        for_each_pair(a, t, j, [&](index_t i, T x, T y) {
            if (i > j && !agree(i, j, x, y))
                fail_pair(i + base, j + base, text_of(x), text_of(mirrored(y, a.symmetry)), a.symmetry);
        });
}

}  // namespace

template <class T>
void keep_lower(SparseMatrix<T>& a, count_t base, index_t threads) {
    bool strictly = true;
    const SparseMatrix<T> t = ColumnSort(TransposedEntries<T>{a}, threads).sorted(strictly);
    std::atomic<bool> all_close = true;
    SparseMatrix<T> lower = columns_by_blocks<T>(
        a.cols(), threads,
        [&](index_t j) {
            count_t entries = 0;
            bool close = true;
            for_each_pair(a, t, j, [&](index_t i, T x, T y) {
                close = close && (i <= j || Agreement<T>::is_close(x, y));
                entries += i >= j;
            });
            if (!close) all_close.store(false, std::memory_order_relaxed);
            return entries;
        },
        [&](index_t j, index_t* row, T* value) {
            for_each_pair(a, t, j, [&](index_t i, T x, T) {
                if (i < j) return;
                *row++ = i;
                *value++ = x;
            });
        });
    if (!all_close) check_pairs(a, t, base);
    lower.symmetry = a.symmetry;
    check_diagonal(lower, base);
    a = a.symmetry == Symmetry::skew_symmetric ? mirror_lower(lower, Symmetry::skew_symmetric) : std::move(lower);
}

#define FROND_INSTANTIATE(T) template void keep_lower<T>(SparseMatrix<T>&, count_t, index_t);
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::detail
