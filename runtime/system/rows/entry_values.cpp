// SPDX-License-Identifier: BSD-3-Clause
// Values along a plan from the parts of the ranks to row blocks.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/operations.hpp"
#include "ranks/collectively.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/entry_plan.hpp"
#include "system/rows/for_chunks.hpp"
#include "system/rows/parcel_places.hpp"

namespace frond::detail {
namespace {

template <class T>
T mirror_value(T x, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(x);
    return symmetry == Symmetry::skew_symmetric ? -x : x;
}

}  // namespace

/// What goes to a place in the parcels of all ranks.
template <class T>
T EntryPlan<T>::given(std::span<const T> mine, count_t place) const {
    const count_t e = from_[at(place)];
    return e < 0 ? mirror_value(mine[at(~e)], declared_) : mine[at(e)];
}

template <class T>
std::shared_ptr<const LargeVector<T>> EntryPlan<T>::values(Communicator& ranks, std::span<const T> mine,
                                                           const ParallelFor& parallel_for,
                                                           ValueMemory<T>* memory) const {
    const ParcelPlaces out_places(out_begin_, ranks.rank()), in_places(in_begin_, ranks.rank());
    ValueMemory<T> none;
    if (memory == nullptr) memory = &none;
    LargeVector<T>&out = memory->out, &in = memory->in, mirrored;
    std::shared_ptr<LargeVector<T>> value;
    collectively(ranks, [&] {
        value = memory->values.take();
        const bool is_new = in.capacity() < in_places.size();
        out.resize(out_places.size());
        in.resize(in_places.size());
        if (is_new)  // the thread that receives would have the system clear all pages itself
            for_chunks(static_cast<count_t>(in.size()), parallel_for, [&](count_t, count_t first, count_t last) {
                std::fill(in.begin() + first, in.begin() + last, T(0));
            });
        for_chunks(static_cast<count_t>(out.size()), parallel_for, [&](count_t, count_t first, count_t last) {
            for (count_t k = first; k < last; ++k) out[at(k)] = given(mine, out_places.place_of_other(k));
        });
    });
    exchange_parcels<T>(ranks, out, out_places.begin(), in, in_places.begin());
    const auto incoming = [&](count_t place) {
        if (in_places.is_own(place)) return given(mine, out_places.own_begin() + in_places.own(place));
        return in[in_places.other(place)];
    };
    collectively(ranks, [&] { sum(incoming, parallel_for, *value, mirrored); });
    if (both_triangles_) agree(ranks, *value, mirrored);
    return value;
}

/// put(position in the block, as in to_; value) of what comes to these places.
template <class T>
template <class Incoming, class Put>
void EntryPlan<T>::put_incoming(count_t first, count_t end, const Incoming& incoming, const Put& put) const {
    for (count_t place = first; place < end; ++place) {
        const T v = incoming(place);
        put(to_[at(place)], v);
        if (image_to_.size() == 0) continue;
        if (const count_t to = image_to_[at(place)]; to != no_image)
            put(both_triangles_ ? ~to : to, mirror_value(v, declared_));
    }
}

template <class T>
template <class Incoming>
void EntryPlan<T>::sum(const Incoming& incoming, const ParallelFor& parallel_for, LargeVector<T>& given,
                       LargeVector<T>& mirrored) const {
    if (each_comes_once_) {
        given.resize(pattern_->column.size());
        for_chunks(in_begin_.back(), parallel_for, [&](count_t, count_t first, count_t end) {
            put_incoming(first, end, incoming, [&](count_t to, T v) { given[at(to)] = v; });
        });
        return;
    }
    given.assign(pattern_->column.size(), T(0));
    mirrored.assign(both_triangles_ ? pattern_->column.size() : 0, T(0));
    put_incoming(0, in_begin_.back(), incoming, [&](count_t to, T v) {
        if (to < 0)
            mirrored[at(~to)] += v;
        else
            given[at(to)] += v;
    });
}

#define FROND_INSTANTIATE(T)                                                                               \
    template std::shared_ptr<const LargeVector<T>> EntryPlan<T>::values(Communicator&, std::span<const T>, \
                                                                        const ParallelFor&, ValueMemory<T>*) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
