// SPDX-License-Identifier: BSD-3-Clause
// Bucket sort by column, then canonical form. O(entries + rows + cols).
#include "canonical_form.hpp"
#include "check_entries.hpp"
#include "entry_source.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "mirror.hpp"

#include <algorithm>
#include <new>

namespace frond {
namespace {

using namespace detail;

/// Throws for an entry outside the matrix, a value that is not finite, a wrong triangle.
template <class Source, class T>
void check_entry(const Source& source, Triangle stored, count_t e, count_t i, count_t j, T value) {
    const count_t base = source.base();
    if (i < base || i - base >= source.rows()) fail_index("row", i, e, source.rows(), base);
    if (j < base || j - base >= source.cols()) fail_index("column", j, e, source.cols(), base);
    if (!is_finite(value)) fail_value(i, j, text_of(value));
    if (stored == Triangle::lower ? i < j : stored == Triangle::upper && i > j) fail_triangle(i, j, stored);
}

/// begin of the columns, from checked entries. With `upper` (i, j) counts for column i.
template <class Source>
std::vector<count_t> count_columns(const Source& source, Triangle stored, InputChecks checks) {
    std::vector<count_t> begin(static_cast<std::size_t>(source.cols()) + 1, 0);
    count_t* const count = begin.data() + 1 - source.base();
    const bool upper = stored == Triangle::upper;
    if (checks == InputChecks::all)
        source.for_each([&](count_t e, count_t i, count_t j, auto value) {
            check_entry(source, stored, e, i, j, value);
            ++count[upper ? i : j];
        });
    else
        source.for_each([&](count_t, count_t i, count_t j, auto) { ++count[upper ? i : j]; });
    for (std::size_t j = 1; j < begin.size(); ++j) begin[j] += begin[j - 1];
    return begin;
}

/// Entries in their columns, in the caller's order; an upper triangle is mirrored into the lower.
template <class T, class Source>
SparseMatrix<T> bucket_columns(const Source& source, Triangle stored, InputChecks checks, bool& ascending) {
    SparseMatrix<T> a;
    a.symmetry = source.symmetry();
    a.pattern.rows = static_cast<index_t>(source.rows());
    a.pattern.cols = static_cast<index_t>(source.cols());
    a.pattern.begin = count_columns(source, stored, checks);
    a.pattern.row.resize(a.pattern.begin.back());
    a.value.resize(a.pattern.begin.back());
    const count_t* const begin = a.pattern.begin.data();
    std::vector<count_t> next(a.pattern.begin.begin(), a.pattern.begin.end() - 1);
    const bool upper = stored == Triangle::upper;
    bool sorted = true;
    source.for_each([&](count_t, count_t i, count_t j, T value) {
        if (upper) {
            std::swap(i, j);
            value = mirrored(value, a.symmetry);
        }
        const index_t row = static_cast<index_t>(i - source.base());
        const count_t column = j - source.base();
        const count_t at = next[column]++;
        sorted = sorted && (at == begin[column] || a.pattern.row[at - 1] < row);
        a.pattern.row[at] = row;
        a.value[at] = value;
    });
    ascending = sorted;
    return a;
}

template <class T>
void check_finite(const SparseMatrix<T>& a, count_t base) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
            if (!is_finite(a.value[e])) fail_value(a.pattern.row[e] + base, j + base, text_of(a.value[e]));
}

template <class T, class Source>
SparseMatrix<T> convert(const Source& source, InputReport* report, InputChecks checks) {
    check_square(source.rows(), source.cols(), source.symmetry());
    const Triangle stored = source.symmetry() == Symmetry::general ? Triangle::both : source.stored();
    InputReport found;
    bool ascending = true;
    SparseMatrix<T> a = bucket_columns<T>(source, stored, checks, ascending);
    if (!is_complex<T> && a.symmetry == Symmetry::hermitian) a.symmetry = Symmetry::symmetric;
    if (!ascending) {
        sort_columns(a);
        found.duplicates_summed = sum_duplicates(a);
        if (found.duplicates_summed > 0 && checks == InputChecks::all) check_finite(a, source.base());
    }
    if (a.symmetry != Symmetry::general && stored == Triangle::both)
        keep_lower(a, source.base());
    else
        check_diagonal(a, source.base());
    if (a.symmetry == Symmetry::skew_symmetric) a = mirror_lower(a, Symmetry::skew_symmetric);
    if (report != nullptr) {
        found.explicit_zeros = std::count(a.value.begin(), a.value.end(), T(0));
        *report = found;
    }
    return a;
}

}  // namespace

template <class T, class I>
SparseMatrix<T> make_sparse(const CompressedView<T, I>& a, InputReport* report, InputChecks checks) try {
    check_sizes(a.rows, a.cols);
    check_begin(a);
    return convert<T>(CompressedSource<T, I>{a}, report, checks);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T, class I>
SparseMatrix<T> make_sparse(const TripletView<T, I>& a, InputReport* report, InputChecks checks) try {
    check_sizes(a.rows, a.cols);
    if (a.entries < 0)
        throw InvalidMatrix("the matrix has " + std::to_string(a.entries) + " entries; the count cannot be negative");
    if (a.entries > 0 && a.row == nullptr) fail_null("row");
    if (a.entries > 0 && a.column == nullptr) fail_null("column");
    if (a.entries > 0 && a.value == nullptr) fail_null("value");
    return convert<T>(TripletSource<T, I>{a}, report, checks);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE_INDEX(T, I)                                                                   \
    template SparseMatrix<T> make_sparse<T, I>(const CompressedView<T, I>&, InputReport*, InputChecks); \
    template SparseMatrix<T> make_sparse<T, I>(const TripletView<T, I>&, InputReport*, InputChecks);
#define FROND_INSTANTIATE(T)                 \
    FROND_INSTANTIATE_INDEX(T, std::int32_t) \
    FROND_INSTANTIATE_INDEX(T, std::int64_t)
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
#undef FROND_INSTANTIATE_INDEX

}  // namespace frond
