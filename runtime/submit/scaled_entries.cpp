// SPDX-License-Identifier: BSD-3-Clause
#include "submit/scaled_entries.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/time_models.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/matrix/not_finite_text.hpp"

namespace frond::detail {
namespace {

/// As many as keep the workers busy; a function of the size alone.
count_t chunks_of(count_t entries) {
    constexpr count_t least = 1 << 17, most_chunks = 64;
    return std::clamp<count_t>(entries / least, 1, most_chunks);
}

std::vector<index_t> column_of_entry(const Pattern& p) {
    std::vector<index_t> column(static_cast<std::size_t>(p.entries()));
    for (index_t j = 0; j < p.cols; ++j)
        std::fill(column.begin() + p.begin[static_cast<std::size_t>(j)],
                  column.begin() + p.begin[static_cast<std::size_t>(j) + 1], j);
    return column;
}

/// Names the first entry that is not finite, as it is or when scaled.
template <class T>
[[noreturn]] void fail_not_finite(const SparseMatrix<T>& a, const EntryMap& map, const T* scaled) {
    const std::vector<index_t> column = column_of_entry(a.pattern);
    for (std::size_t e = 0; e < map.source.size(); ++e) {
        if (std::isfinite(std::abs(scaled[e]))) continue;
        const auto s = static_cast<std::size_t>(map.source[e] < 0 ? ~map.source[e] : map.source[e]);
        throw InvalidMatrix(not_finite_text(a.pattern.row[s], column[s], a.value[s]));
    }
    throw InvalidMatrix("a value of the matrix is not finite; check the values");
}

}  // namespace

template <class T>
void expect_finite(const SparseMatrix<T>& a) {
    bool finite = true;
    for (const T& v : a.value) finite &= std::abs(v) <= std::numeric_limits<real_t<T>>::max();
    if (finite) return;
    EntryMap as_they_are;
    for (count_t e = 0; e < a.entries(); ++e) as_they_are.source.push_back(e);
    fail_not_finite(a, as_they_are, a.value.data());
}

template <class T>
ScaledEntries<T> scale_entries(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling,
                               const ParallelFor& parallel_for, const KeptScaling* kept) {
    const EntryMap& map = analysis.entry_map;
    const auto count = static_cast<count_t>(map.source.size());
    ScaledEntries<T> result;
    result.values = HostBlock(count * static_cast<count_t>(sizeof(T)));
    if (simulates()) {  // nobody reads them
        result.largest = 1;
        return result;
    }
    T* const values = static_cast<T*>(result.values.data());
    const count_t chunks = chunks_of(count);
    std::vector<real_t<T>> largest(static_cast<std::size_t>(chunks));
    parallel_for(chunks, [&](count_t c) {
        const count_t begin = count * c / chunks, end = count * (c + 1) / chunks;
        largest[static_cast<std::size_t>(c)] =
            cpu::scale_entries(analysis, scaling, kept, a.value.data(), begin, end, values + begin);
    });
    for (const real_t<T> x : largest) {
        if (!std::isfinite(x)) fail_not_finite(a, map, values);
        result.largest = std::max(result.largest, static_cast<double>(x));
    }
    return result;
}

#define FROND_INSTANTIATE(T)                                                                            \
    template void expect_finite<T>(const SparseMatrix<T>&);                                             \
    template ScaledEntries<T> scale_entries<T>(const SparseMatrix<T>&, const Analysis&, const Scaling&, \
                                               const ParallelFor&, const KeptScaling*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
