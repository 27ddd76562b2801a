// SPDX-License-Identifier: BSD-3-Clause
#include "frond/matrix/value_list.hpp"

#include "check_entries.hpp"
#include "frond/base/error.hpp"
#include "frond/base/for_ranges.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "canonical_form.hpp"

#include <algorithm>
#include <atomic>

namespace frond {
namespace {

template <class T>
T value_at(const T* given, count_t position, Symmetry declared) {
    return position >= 0 ? given[position] : detail::mirrored(given[~position], declared);
}

count_t column_of(const Pattern& pattern, count_t e) {
    return std::upper_bound(pattern.begin.begin(), pattern.begin.end(), e) - pattern.begin.begin() - 1;
}

/// The first entry that is not finite, or -1.
template <class T>
count_t first_not_finite(const T* value, count_t begin, count_t end) {
    bool finite = true;
    for (count_t e = begin; e < end; ++e) finite &= detail::is_finite(value[e]);
    if (finite) return -1;
    count_t e = begin;
    while (detail::is_finite(value[e])) ++e;
    return e;
}

/// range(first, end) of so many entries, on the workers where there are many: the first that is not finite, or -1.
template <class Range>
count_t first_of_ranges(count_t entries, const ParallelFor& parallel_for, const Range& range) {
    constexpr count_t least = 1 << 17, most_chunks = 64;
    const count_t length = std::max(least, count_ranges(entries, most_chunks));
    std::vector<count_t> bad(at(count_ranges(entries, length)), -1);
    for_ranges(entries, length, parallel_for,
               [&](count_t c, count_t first, count_t end) { bad[at(c)] = range(first, end); });
    const auto first = std::find_if(bad.begin(), bad.end(), [](count_t e) { return e >= 0; });
    return first == bad.end() ? -1 : *first;
}

/// Counts zeros in ranges that several threads have, where the caller asks for the number.
template <class T>
class ZeroCount {
public:
    ZeroCount(const T* value, count_t* zeros) : value_(value), zeros_(zeros) {}
    ZeroCount(const ZeroCount&) = delete;
    ZeroCount& operator=(const ZeroCount&) = delete;
    ~ZeroCount() {
        if (zeros_ != nullptr) *zeros_ = found_;
    }
    void add(count_t begin, count_t end) {
        if (zeros_ != nullptr) found_ += std::count(value_ + begin, value_ + end, T(0));
    }

private:
    const T* value_;
    count_t* zeros_;
    std::atomic<count_t> found_ = 0;
};

}  // namespace

/// The first entry that is not finite, or -1.
template <class T>
count_t ValueList::copy_range(const T* given, SparseMatrix<T>& canonical, count_t begin, count_t end) const {
    T* const value = canonical.value.data();
    if (source_.empty())
        std::copy(given + begin, given + end, value + begin);
    else
        for (count_t e = begin; e < end; ++e) value[e] = value_at(given, source_[at(e)], declared_);
    const auto first = std::lower_bound(more_entry_.begin(), more_entry_.end(), begin) - more_entry_.begin();
    for (auto k = at(first); k < more_entry_.size() && more_entry_[k] < end; ++k)
        value[more_entry_[k]] += value_at(given, more_source_[k], declared_);
    return first_not_finite(value, begin, end);
}

template <class T>
void ValueList::check_diagonal(const T* value, const Pattern& pattern) const {
    for (const count_t e : diagonal_) {
        const T d = value[e];
        const bool good = declared_ == Symmetry::hermitian ? d == T(real_part(d)) : d == T(0);
        if (!good) detail::fail_diagonal(pattern.row[at(e)] + base_, detail::text_of(d), declared_);
    }
}

/// Names the first value of the caller's array that is not finite, in the caller's numbers, as make_sparse does.
template <class T>
void ValueList::fail_first(const Pattern& pattern, const T* given) const {
    count_t first = given_, entry = -1;
    bool mirrored = false;
    const auto look = [&](count_t e, count_t source) {
        const count_t position = source >= 0 ? source : ~source;
        const bool is_nearer = position < first || (position == first && source >= 0);
        if (!is_nearer || detail::is_finite(given[position])) return;
        first = position;
        entry = e;
        mirrored = swaps_ || source < 0;
    };
    for (count_t e = 0; e < pattern.entries(); ++e) look(e, source_.empty() ? e : source_[at(e)]);
    for (std::size_t k = 0; k < more_entry_.size(); ++k) look(more_entry_[k], more_source_[k]);
    if (entry < 0) return;
    const count_t row = pattern.row[at(entry)] + base_, column = column_of(pattern, entry) + base_;
    detail::fail_value(mirrored ? column : row, mirrored ? row : column, detail::text_of(given[first]));
}

template <class T>
void ValueList::copy(const T* given, SparseMatrix<T>& canonical, const ParallelFor& parallel_for,
                     count_t* zeros) const {
    const count_t entries = canonical.entries();
    resize_in_huge_pages(canonical.value, at(entries));
    const T* const value = canonical.value.data();
    ZeroCount<T> found(value, zeros);
    const count_t bad = first_of_ranges(entries, parallel_for, [&](count_t begin, count_t end) {
        const count_t first_bad = copy_range(given, canonical, begin, end);
        found.add(begin, end);
        return first_bad;
    });
    if (bad >= 0) {
        fail_first(canonical.pattern, given);
        detail::fail_value(canonical.pattern.row[at(bad)] + base_, column_of(canonical.pattern, bad) + base_,
                           detail::text_of(value[bad]));  // a sum
    }
    check_diagonal(value, canonical.pattern);
}

template <class T>
void ValueList::check(const T* given, const SparseMatrix<T>& canonical, const ParallelFor& parallel_for,
                      count_t* zeros) const {
    ZeroCount<T> found(given, zeros);
    const count_t bad = first_of_ranges(given_, parallel_for, [&](count_t begin, count_t end) {
        found.add(begin, end);
        return first_not_finite(given, begin, end);
    });
    if (bad >= 0) fail_first(canonical.pattern, given);
    check_diagonal(given, canonical.pattern);
}

#define FROND_INSTANTIATE(T)                                                                          \
    template void ValueList::copy<T>(const T*, SparseMatrix<T>&, const ParallelFor&, count_t*) const; \
    template void ValueList::check<T>(const T*, const SparseMatrix<T>&, const ParallelFor&, count_t*) const;
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
