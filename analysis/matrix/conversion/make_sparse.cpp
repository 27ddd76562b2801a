// SPDX-License-Identifier: BSD-3-Clause
// The canonical form of a list of entries, on threads. O(entries + rows + cols) but for columns whose rows are in no order.
#include "../canonical_form.hpp"
#include "entry_source.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "ordered_list.hpp"
#include "sort_columns.hpp"

#include <algorithm>
#include <new>

namespace frond {
namespace {

using namespace detail;

template <class T>
bool is_all_finite(const SparseMatrix<T>& a) {
    return std::all_of(a.value.begin(), a.value.end(), [](T x) { return is_finite(x); });
}

/// Refuses sums of finite values that are not finite.
template <class T>
void check_finite(const SparseMatrix<T>& a, count_t base) {
    if (is_all_finite(a)) return;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            if (!is_finite(a.value[e])) fail_value(a.pattern.row[e] + base, j + base, text_of(a.value[e]));
}

template <class T>
count_t count_zeros(const SparseMatrix<T>& a, index_t threads) {
    std::atomic<count_t> zeros = 0;
    const ChunkedRange blocks = blocks_of(a.entries());
    for_each_chunk(threads, blocks.count(), [&](count_t block) {
        zeros += std::count(a.value.begin() + blocks.first(block), a.value.begin() + blocks.last(block), T(0));
    });
    return zeros;
}

/// Rows ascend in each column. See InputReport::one_triangle.
Triangle only_triangle(const Pattern& p) {
    bool lower = true, upper = true;
    for (index_t j = 0; j < p.cols && (lower || upper); ++j) {
        if (p.begin[j] == p.begin[j + 1]) continue;
        lower = lower && p.row[p.begin[j]] >= j;
        upper = upper && p.row[p.begin[j + 1] - 1] <= j;
    }
    return p.rows != p.cols || lower == upper ? Triangle::both : lower ? Triangle::lower : Triangle::upper;
}

template <class T, class Source>
SparseMatrix<T> convert(const Source& source, InputReport* report, InputChecks checks, index_t asked_threads) {
    check_square(source.rows(), source.cols(), source.symmetry());
    const Triangle stored = source.symmetry() == Symmetry::general ? Triangle::both : source.stored();
    const index_t threads = threads_for(asked_threads, source.entries());
    if (checks == InputChecks::all) check_list(source, stored, threads);
    const PlacedValues<T, Source> placed{source, stored == Triangle::upper};
    InputReport found;
    bool strictly = true;
    SparseMatrix<T> a =
        is_in_order(placed, threads) ? copy_in_order(placed, threads) : ColumnSort(placed, threads).sorted(strictly);
    a.symmetry = source.symmetry();
    if (!is_complex<T> && a.symmetry == Symmetry::hermitian) a.symmetry = Symmetry::symmetric;
    if (!strictly) {
        found.duplicates_summed = sum_duplicates(a, threads);
        if (checks == InputChecks::all) check_finite(a, source.base());
    }
    if (a.symmetry != Symmetry::general && stored == Triangle::both)
        keep_lower(a, source.base(), threads);
    else
        check_diagonal(a, source.base());
    const bool is_general = a.symmetry == Symmetry::general;
    if (a.symmetry == Symmetry::skew_symmetric) a = mirror_lower(a, Symmetry::skew_symmetric);
    if (report != nullptr) {
        found.explicit_zeros = count_zeros(a, threads);
        if (is_general) found.one_triangle = only_triangle(a.pattern);
        *report = found;
    }
    return a;
}

}  // namespace

template <class T, class I>
SparseMatrix<T> make_sparse(const CompressedView<T, I>& a, InputReport* report, InputChecks checks,
                            index_t threads) try {
    check_sizes(a.rows, a.cols);
    check_begin(a);
    return convert<T>(CompressedSource<T, I>{a}, report, checks, threads);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T, class I>
SparseMatrix<T> make_sparse(const TripletView<T, I>& a, InputReport* report, InputChecks checks, index_t threads) try {
    check_sizes(a.rows, a.cols);
    if (a.entries < 0)
        throw InvalidMatrix("the matrix has " + std::to_string(a.entries) + " entries; the count cannot be negative");
    if (a.entries > 0 && a.row == nullptr) fail_null("row");
    if (a.entries > 0 && a.column == nullptr) fail_null("column");
    if (a.entries > 0 && a.value == nullptr) fail_null("value");
    return convert<T>(TripletSource<T, I>{a}, report, checks, threads);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE_INDEX(T, I)                                                                            \
    template SparseMatrix<T> make_sparse<T, I>(const CompressedView<T, I>&, InputReport*, InputChecks, index_t); \
    template SparseMatrix<T> make_sparse<T, I>(const TripletView<T, I>&, InputReport*, InputChecks, index_t);
#define FROND_INSTANTIATE(T)                 \
    FROND_INSTANTIATE_INDEX(T, std::int32_t) \
    FROND_INSTANTIATE_INDEX(T, std::int64_t)
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
#undef FROND_INSTANTIATE_INDEX

}  // namespace frond
