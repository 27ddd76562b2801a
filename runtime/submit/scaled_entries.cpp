// SPDX-License-Identifier: BSD-3-Clause
#include "submit/scaled_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

constexpr count_t chunk_count = 16;

/// Original row and column of each entry of a front follow from its local numbers; the matrix' own
/// column of an entry is found once here.
std::vector<index_t> column_of_entry(const Pattern& p) {
    std::vector<index_t> column(static_cast<std::size_t>(p.entries()));
    for (index_t j = 0; j < p.cols; ++j)
        std::fill(column.begin() + p.begin[static_cast<std::size_t>(j)],
                  column.begin() + p.begin[static_cast<std::size_t>(j) + 1], j);
    return column;
}

template <class T>
class Scaler {
public:
    Scaler(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling, T* values)
        : a_(a), map_(analysis.entry_map), scaling_(scaling), values_(values) {
        if (!scaling.row.empty()) column_ = column_of_entry(a.pattern);
    }

    /// Scales entries [begin, end) and returns the largest magnitude; NaN when one is not finite.
    real_t<T> run(count_t begin, count_t end) const {
        real_t<T> largest = 0;
        for (count_t e = begin; e < end; ++e) {
            const count_t source = map_.source[static_cast<std::size_t>(e)];
            const bool mirrored = source < 0;
            const auto s = static_cast<std::size_t>(mirrored ? ~source : source);
            T value = a_.value[s];
            if (!scaling_.row.empty()) value *= factor(s, mirrored);
            if (mirrored && a_.symmetry == Symmetry::hermitian) value = conjugate(value);
            values_[e] = value;
            const real_t<T> size = std::abs(value);
            if (!(size <= largest)) largest = size;  // NaN stays
            if (std::isnan(largest)) return largest;
        }
        return largest;
    }

private:
    real_t<T> factor(std::size_t s, bool mirrored) const {
        auto i = static_cast<std::size_t>(a_.pattern.row[s]);
        auto j = static_cast<std::size_t>(column_[s]);
        if (mirrored) std::swap(i, j);
        return static_cast<real_t<T>>(scaling_.row[i] * scaling_.column[j]);
    }

    const SparseMatrix<T>& a_;
    const EntryMap& map_;
    const Scaling& scaling_;
    T* values_;
    std::vector<index_t> column_;
};

}  // namespace

template <class T>
ScaledEntries<T> scale_entries(const SparseMatrix<T>& a, const Analysis& analysis, const Scaling& scaling,
                               const ParallelFor& parallel_for) {
    const auto count = static_cast<count_t>(analysis.entry_map.source.size());
    ScaledEntries<T> result;
    result.values = HostBlock(count * static_cast<count_t>(sizeof(T)));
    const Scaler<T> scaler(a, analysis, scaling, static_cast<T*>(result.values.data()));
    std::array<real_t<T>, chunk_count> largest{};
    parallel_for(chunk_count, [&](count_t c) {
        largest[static_cast<std::size_t>(c)] =
            scaler.run(count * c / chunk_count, count * (c + 1) / chunk_count);
    });
    for (const real_t<T> x : largest) {
        if (!std::isfinite(x))
            throw InvalidMatrix("a value of the matrix is not finite, or overflows " +
                                std::string(sizeof(real_t<T>) == 4 ? "single" : "double") +
                                " precision when scaled; check the values");
        result.largest = std::max(result.largest, static_cast<double>(x));
    }
    return result;
}

#define FROND_INSTANTIATE(T)                                                                           \
    template ScaledEntries<T> scale_entries<T>(const SparseMatrix<T>&, const Analysis&, const Scaling&, \
                                               const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
