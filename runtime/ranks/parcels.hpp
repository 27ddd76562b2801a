// SPDX-License-Identifier: BSD-3-Clause
// Lists of one rank for all others, one behind the other.
#pragma once

#include <span>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "ranks/collectively.hpp"
#include "ranks/communicator.hpp"

namespace frond::detail {

/// data[begin[r]] .. data[begin[r + 1]] are for, or from, rank r.
template <class T>
struct Parcels {
    std::vector<T> data;
    std::vector<count_t> begin;  // [ranks + 1]

    std::span<const T> of(index_t rank) const {
        const auto r = static_cast<std::size_t>(rank);
        return {data.data() + begin[r], static_cast<std::size_t>(begin[r + 1] - begin[r])};
    }
};

/// begin of parcels of these sizes.
inline std::vector<count_t> begin_of_sizes(std::span<const count_t> sizes) {
    std::vector<count_t> begin(sizes.size() + 1, 0);
    for (std::size_t r = 0; r < sizes.size(); ++r) begin[r + 1] = begin[r] + sizes[r];
    return begin;
}

inline std::vector<count_t> sizes_of_begin(std::span<const count_t> begin) {
    std::vector<count_t> sizes;
    for (std::size_t r = 0; r + 1 < begin.size(); ++r) sizes.push_back(begin[r + 1] - begin[r]);
    return sizes;
}

/// Sizes that are not known to the receiver are exchanged first: begin of what comes from each rank. Collective.
inline std::vector<count_t> incoming_begin(Communicator& ranks, std::span<const count_t> out_begin) {
    return begin_of_sizes(ranks.all_to_all(sizes_of_begin(out_begin)));
}

/// in.begin is known; in.data is filled. `width` numbers for each element that begin counts. Collective.
template <class T>
void exchange_parcels(Communicator& ranks, std::span<const T> out, std::span<const count_t> out_begin, std::span<T> in,
                      std::span<const count_t> in_begin, count_t width = 1) {
    const auto in_bytes = [width](std::span<const count_t> begin) {
        std::vector<count_t> bytes;
        for (const count_t b : begin) bytes.push_back(b * width * static_cast<count_t>(sizeof(T)));
        return bytes;
    };
    ranks.exchange(std::as_bytes(out), in_bytes(out_begin), std::as_writable_bytes(in), in_bytes(in_begin));
}

/// What all ranks send to this one. Collective.
template <class T>
Parcels<T> exchanged(Communicator& ranks, const Parcels<T>& out) {
    Parcels<T> in;
    in.begin = incoming_begin(ranks, out.begin);
    collectively(ranks, [&] { in.data.resize(static_cast<std::size_t>(in.begin.back())); });
    exchange_parcels<T>(ranks, out.data, out.begin, in.data, in.begin);
    return in;
}

/// The lists of all ranks, one behind the other, on rank 0; nothing elsewhere. Collective.
template <class T>
std::vector<T> at_rank_0(Communicator& ranks, const std::vector<T>& mine) {
    std::vector<count_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
    sizes[0] = static_cast<count_t>(mine.size());
    const std::vector<count_t> out_begin = begin_of_sizes(sizes), in_begin = incoming_begin(ranks, out_begin);
    std::vector<T> all;
    collectively(ranks, [&] { resize_in_huge_pages(all, static_cast<std::size_t>(in_begin.back())); });
    exchange_parcels<T>(ranks, mine, out_begin, all, in_begin);
    return all;
}

/// The lists of all ranks, one behind the other, on every rank. Collective.
template <class T>
std::vector<T> at_all_ranks(Communicator& ranks, const std::vector<T>& mine) {
    std::vector<T> all = at_rank_0(ranks, mine);
    std::vector<count_t> size{static_cast<count_t>(all.size())};
    ranks.all_reduce_max(size);
    collectively(ranks, [&] { all.resize(static_cast<std::size_t>(size[0])); });
    ranks.broadcast(std::as_writable_bytes(std::span<T>(all)), 0);
    return all;
}

/// Sends parts of a list of rank 0 to the ranks: begin [ranks + 1] says on rank 0 what of `all` goes to which. Collective.
template <class T>
std::vector<T> from_rank_0(Communicator& ranks, std::span<const T> all, const std::vector<count_t>& begin) {
    const std::vector<count_t> in_begin = incoming_begin(ranks, begin);
    std::vector<T> mine;
    collectively(ranks, [&] { resize_in_huge_pages(mine, static_cast<std::size_t>(in_begin.back())); });
    exchange_parcels<T>(ranks, all, begin, mine, in_begin);
    return mine;
}

}  // namespace frond::detail
