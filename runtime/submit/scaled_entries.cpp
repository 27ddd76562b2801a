// SPDX-License-Identifier: BSD-3-Clause
#include "submit/scaled_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <sstream>
#include <type_traits>

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
            if (!scaling_.row.empty()) value = scaled(s, mirrored);
            if (mirrored && a_.symmetry == Symmetry::hermitian) value = conjugate(value);
            values_[e] = value;
            const real_t<T> size = std::abs(value);
            if (!(size <= largest)) largest = size;  // NaN stays
            if (std::isnan(largest)) return largest;
        }
        return largest;
    }

private:
    /// In double precision, one factor after the other: r_i c_j alone may overflow.
    T scaled(std::size_t s, bool mirrored) const {
        using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
        auto i = static_cast<std::size_t>(a_.pattern.row[s]);
        auto j = static_cast<std::size_t>(column_[s]);
        if (mirrored) std::swap(i, j);
        return T(Wide(a_.value[s]) * scaling_.row[i] * scaling_.column[j]);
    }

    const SparseMatrix<T>& a_;
    const EntryMap& map_;
    const Scaling& scaling_;
    T* values_;
    std::vector<index_t> column_;
};

bool has_finite_parts(std::complex<double> v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); }

/// Names the first entry that is not finite, as it is or when scaled.
template <class T>
[[noreturn]] void fail_not_finite(const SparseMatrix<T>& a, const EntryMap& map, const T* scaled) {
    const std::vector<index_t> column = column_of_entry(a.pattern);
    for (std::size_t e = 0; e < map.source.size(); ++e) {
        if (std::isfinite(std::abs(scaled[e]))) continue;
        const auto s = static_cast<std::size_t>(map.source[e] < 0 ? ~map.source[e] : map.source[e]);
        std::ostringstream text;
        text << "entry (" << a.pattern.row[s] << ", " << column[s] << ") (counted from 0) ";
        if (!has_finite_parts(a.value[s]))
            text << "is " << a.value[s] << "; values must be finite";
        else
            text << "= " << a.value[s] << " overflows " << (sizeof(real_t<T>) == 4 ? "single" : "double")
                 << " precision when scaled; bring the largest values nearer to 1";
        throw InvalidMatrix(text.str());
    }
    throw InvalidMatrix("a value of the matrix is not finite; check the values");
}

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
            fail_not_finite(a, analysis.entry_map, static_cast<const T*>(result.values.data()));
        result.largest = std::max(result.largest, static_cast<double>(x));
    }
    return result;
}

#define FROND_INSTANTIATE(T)                                                                           \
    template ScaledEntries<T> scale_entries<T>(const SparseMatrix<T>&, const Analysis&, const Scaling&, \
                                               const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
