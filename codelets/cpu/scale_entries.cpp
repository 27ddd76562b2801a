// SPDX-License-Identifier: BSD-3-Clause
#include "frond/cpu/subtree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <type_traits>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::cpu {
namespace {

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// Leaves values as they are.
template <class T>
struct Unscaled {
    T operator()(T value, count_t, count_t) const { return value; }
};

/// r_i a_ij c_j in double precision, one factor after the other: r_i c_j alone may overflow. Entries ascend from
/// `first` on.
template <class T>
class ByScales {
public:
    ByScales(const Analysis& analysis, const Scaling& scaling, count_t first)
        : analysis_(analysis), map_(analysis.entry_map), scaling_(scaling) {
        const auto& begin = map_.front_begin;
        front_ = static_cast<index_t>(std::upper_bound(begin.begin(), begin.end(), first) - begin.begin()) - 1;
    }

    T operator()(T value, count_t e, count_t) {
        while (map_.front_begin[at(front_) + 1] <= e) ++front_;
        const index_t i = analysis_.row_order[at(position(map_.row[at(e)]))],
                      j = analysis_.column_order[at(position(map_.column[at(e)]))];
        return T(Wide<T>(value) * scaling_.row[at(i)] * scaling_.column[at(j)]);
    }

private:
    /// The position in the elimination order of a row or column of the front.
    index_t position(index_t local) const {
        const Front& front = analysis_.tree.fronts[at(front_)];
        return local < front.npiv ? front.first_column + local
                                  : analysis_.tree.rows[at(front.rows_begin + local - front.npiv)];
    }

    const Analysis& analysis_;
    const EntryMap& map_;
    const Scaling& scaling_;
    index_t front_;
};

/// Scales by the exponent of r_i c_j.
template <class T>
struct ByExponents {
    const std::vector<std::int16_t>&exponent, &mirrored_exponent;

    /// 2^e, -1022 <= e <= 1023.
    static double power(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); }

    T operator()(T value, count_t, count_t source) const {
        const bool mirrored = source < 0 && !mirrored_exponent.empty();
        const int e = (mirrored ? mirrored_exponent : exponent)[at(source < 0 ? ~source : source)];
        if (e >= -1022 && e <= 1023) return T(Wide<T>(value) * power(e));
        return T(Wide<T>(value) * power(e / 2) * power(e - e / 2));
    }
};

template <class T, class Scale>
real_t<T> scale_range(const Analysis& analysis, Scale scale, const T* given, count_t begin, count_t end, T* scaled) {
    const std::vector<count_t>& sources = analysis.entry_map.source;
    const bool hermitian = analysis.symmetry == Symmetry::hermitian;
    real_t<T> largest = 0;
    for (count_t e = begin; e < end; ++e) {
        const count_t source = sources[at(e)];
        T value = scale(given[source < 0 ? ~source : source], e, source);
        if (source < 0 && hermitian) value = conjugate(value);
        *scaled++ = value;
        const real_t<T> size = std::abs(value);
        if (!(size <= largest) && !std::isnan(largest)) largest = size;  // NaN stays
    }
    return largest;
}

}  // namespace

template <class T>
real_t<T> scale_entries(const Analysis& analysis, const Scaling& scaling, const KeptScaling* kept, const T* given,
                        count_t begin, count_t end, T* scaled) {
    if (scaling.row.empty()) return scale_range(analysis, Unscaled<T>{}, given, begin, end, scaled);
    if (kept != nullptr)
        return scale_range(analysis, ByExponents<T>{kept->exponents(), kept->mirrored_exponents()}, given, begin, end,
                           scaled);
    return scale_range(analysis, ByScales<T>(analysis, scaling, begin), given, begin, end, scaled);
}

#define FROND_INSTANTIATE(T)                                                                                    \
    template real_t<T> scale_entries<T>(const Analysis&, const Scaling&, const KeptScaling*, const T*, count_t, \
                                        count_t, T*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu
