// SPDX-License-Identifier: BSD-3-Clause
// Values along a route from row blocks to fronts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <type_traits>

#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/distributed/entry_route.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/for_chunks.hpp"
#include "system/rows/parcel_places.hpp"

namespace frond::detail {
namespace {

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

}  // namespace

/// What one call of bring() works with. What a rank has for itself goes to its fronts at once.
template <class T>
struct EntryRoute::Bringing {
    const EntryRoute& route;
    const BlockPattern& pattern;
    const LargeVector<T>& value;
    const Scaling& scaling;
    T* mine;
    ParcelPlaces out_places, in_places;
    LargeVector<T> out, in;

    T scaled(index_t i, count_t e) const {
        const T v = value[at(e)];
        if (scaling.row.empty()) return v;
        return T(Wide<T>(v) * scaling.row[at(pattern.first() + i)] * scaling.column[at(pattern.column[at(e)])]);
    }

    void put(count_t place, T v) {
        if (out_places.is_own(place))
            mine[route.to_[at(in_places.own_begin() + out_places.own(place))]] = v;
        else
            out[out_places.other(place)] = v;
    }

    /// The largest magnitude in these rows of the block.
    double send(count_t first, count_t end) {
        double largest = 0;
        for (count_t i = first; i < end; ++i)
            for (count_t e = pattern.begin[at(i)]; e < pattern.begin[at(i) + 1]; ++e) {
                const count_t place = route.place_[at(e)];
                if (place < 0) continue;
                const T v = scaled(static_cast<index_t>(i), e);
                put(place, v);
                largest = std::max(largest, static_cast<double>(std::abs(v)));
            }
        return largest;
    }

    void take(count_t first, count_t end) const {
        for (count_t place = first; place < end; ++place)
            if (!in_places.is_own(place)) mine[route.to_[at(place)]] = in[in_places.other(place)];
    }
};

template <class T>
double EntryRoute::bring(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                         const Scaling& scaling, T* mine, const ParallelFor& parallel_for) const {
    const index_t own = ranks.rank();
    Bringing<T> b{*this, pattern, value, scaling, mine, {out_begin_, own}, {in_begin_, own}, {}, {}};
    count_t largest[1] = {};  // bits of a number >= 0, which are in the order of the numbers
    collectively(ranks, [&] {
        b.out.resize(b.out_places.size());
        b.in.resize(b.in_places.size());
        std::vector<double> of_chunks(at(chunks_of(pattern.rows())), 0.0);
        for_chunks(pattern.rows(), parallel_for,
                   [&](count_t chunk, count_t first, count_t end) { of_chunks[at(chunk)] = b.send(first, end); });
        for (const double of_chunk : of_chunks) largest[0] = std::max(largest[0], std::bit_cast<count_t>(of_chunk));
    });
    exchange_parcels<T>(ranks, b.out, b.out_places.begin(), b.in, b.in_places.begin());
    collectively(ranks, [&] {
        for_chunks(in_begin_.back(), parallel_for, [&](count_t, count_t first, count_t end) { b.take(first, end); });
    });
    ranks.all_reduce_max(largest);
    return std::bit_cast<double>(largest[0]);
}

#define FROND_INSTANTIATE(T)                                                                                        \
    template double EntryRoute::bring<T>(Communicator&, const BlockPattern&, const LargeVector<T>&, const Scaling&, \
                                         T*, const ParallelFor&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
