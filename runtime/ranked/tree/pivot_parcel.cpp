// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/tree/pivot_parcel.hpp"

#include <algorithm>
#include <shared_mutex>
#include <vector>

#include "factors/pivots.hpp"
#include "frond/base/for_ranges.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/packing.hpp"
#include "ranks/parcels.hpp"
#include "submit/fill_report.hpp"

namespace frond::detail {
namespace {

/// Units that a worker takes at a time.
constexpr count_t units_per_chunk = 64;

/// Copies a diagonal block to its position in the list.
template <class T>
void list_block(const PivotBlock<T>& b, Factorization kind, ListedPivots<T>& listed) {
    const count_t place = listed.places.place(b.first_column), width = ListedPivots<T>::width(kind);
    T* const value = listed.value.data() + place * width;
    if (has_block_diagonal(kind))
        std::copy_n(b.pivots, width * b.block.cols, value);
    else
        for (index_t k = 0; k < b.block.cols; ++k) value[k] = b.block(k, k);
    if (b.perm != nullptr) std::copy_n(b.perm, b.block.cols, listed.perm.data() + place);
}

template <class T>
void pack_second_pass(Packer& pack, const cpu::SecondPass<T>& second_pass) {
    std::vector<unsigned char> bytes(at(cpu::packed_bytes(second_pass)));
    cpu::pack(second_pass, bytes.data());
    pack(bytes);
}

}  // namespace

template <class T>
void list_own_pivots(TreeFactors<T>& factors, const ParallelFor& parallel_for) {
    ListedPivots<T>& listed = factors.ownership.own_pivots;
    if (factors.ownership.units_of_devices.empty()) {
        listed = {};
        add_columns_of_rank(*factors.analysis, *factors.ownership.share, factors.ownership.share->rank(),
                            listed.places);
        listed.places.sort();
        listed.resize(factors.kind());
    }
    std::vector<index_t> units;
    for_each_unit(*factors.analysis, [&](index_t unit) {
        if (factors.ownership.share->has_part(unit) && !factors.ownership.is_made_by_devices(unit))
            units.push_back(unit);
    });
    const auto list_unit = [&](count_t u) {
        for_each_pivot_block_of_unit<T>(factors, units[at(u)],
                                        [&](const PivotBlock<T>& b) { list_block(b, factors.kind(), listed); });
    };
    const auto count = static_cast<count_t>(units.size());
    const std::shared_lock lock(factors.place_mutex);
    for_ranges(count, factors.session->has_devices() ? std::max<count_t>(count, 1) : units_per_chunk, parallel_for,
               [&](count_t, count_t first, count_t end) {
                   for (count_t u = first; u < end; ++u) list_unit(u);
               });
}

template <class T>
std::vector<count_t> make_places_for_others(const TreeFactors<T>& factors, ListedPivots<T>& listed) {
    std::vector<count_t> begin(at(factors.ownership.share->ranks()) + 1, 0);
    for (index_t r = 1; r < factors.ownership.share->ranks(); ++r) {
        add_columns_of_rank(*factors.analysis, *factors.ownership.share, r, listed.places);
        begin[at(r) + 1] = listed.places.columns();
    }
    listed.places.sort();
    listed.resize(factors.kind());
    return begin;
}

template <class T>
void receive_listed(Communicator& ranks, std::span<const count_t> begin, Factorization kind, ListedPivots<T>& listed) {
    const std::vector<count_t> none(begin.size(), 0);
    exchange_parcels<T>(ranks, {}, none, listed.value, begin, ListedPivots<T>::width(kind));
    if (kind != Factorization::llt) exchange_parcels<index_t>(ranks, {}, none, listed.perm, begin);
}

template <class T>
void send_listed(Communicator& ranks, Factorization kind, const ListedPivots<T>& listed) {
    const std::vector<count_t> none(at(ranks.size()) + 1, 0);
    std::vector<count_t> begin(none.size(), listed.places.columns());  // all of it to rank 0
    begin[0] = 0;
    exchange_parcels<T>(ranks, listed.value, begin, {}, none, ListedPivots<T>::width(kind));
    if (kind != Factorization::llt) exchange_parcels<index_t>(ranks, listed.perm, begin, {}, none);
}

template <class T>
void pack_second_passes(Packer& pack, const TreeFactors<T>& factors) {
    const count_t not_kept = entries_not_kept(factors);
    pack(not_kept);
    for_each_unit(*factors.analysis, [&](index_t unit) {
        if (!factors.ownership.share->has_part(unit)) return;
        for_each_second_pass_of_unit<T>(factors, unit, [&](const cpu::SecondPass<T>& second_pass) {
            pack(unit);
            pack_second_pass(pack, second_pass);
        });
    });
}

template <class T>
void unpack_second_passes(Unpacker& unpack, RemotePivots<T>& pivots) {
    count_t not_kept = 0;
    unpack(not_kept);
    pivots.entries_not_kept += not_kept;
    while (!unpack.is_at_end()) {
        index_t unit = 0;
        std::vector<unsigned char> bytes;
        unpack(unit, bytes);
        cpu::SecondPass<T>& second_pass = pivots.second_passes[unit].emplace_back();
        cpu::unpack(bytes.data(), static_cast<count_t>(bytes.size()), second_pass);
    }
}

void FactoredPart::add_to(FactorReport& report, PivotReport& all) const {
    const index_t here = all.failed_column, there = pivots.failed_column;
    all += pivots;
    if (here >= 0 && there >= 0) all.failed_column = std::min(here, there);
    report.work.flops += flops;
    report.work.tasks += tasks;
    report.memory.peak_bytes += peak_bytes;
    report.memory.peak_bytes_predicted += peak_bytes_predicted;
    for (std::size_t f = 0; f < std::min(front_seconds.size(), report.work.front_seconds.size()); ++f)
        report.work.front_seconds[f] += front_seconds[f];
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template void list_own_pivots<T>(TreeFactors<T>&, const ParallelFor&);                                     \
    template std::vector<count_t> make_places_for_others<T>(const TreeFactors<T>&, ListedPivots<T>&);          \
    template void receive_listed<T>(Communicator&, std::span<const count_t>, Factorization, ListedPivots<T>&); \
    template void send_listed<T>(Communicator&, Factorization, const ListedPivots<T>&);                        \
    template void pack_second_passes<T>(Packer&, const TreeFactors<T>&);                                       \
    template void unpack_second_passes<T>(Unpacker&, RemotePivots<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
