// SPDX-License-Identifier: BSD-3-Clause
#include "factors/factors_on_host.hpp"

#include <starpu.h>

#include <algorithm>
#include <shared_mutex>

#include "factors/tree_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "engine/valid_copy.hpp"

namespace frond::detail {
namespace {

template <class T>
bool tiles_on_host(const TiledFront<T>& front) {
    for (index_t j = 0; j < front.tiles(); ++j)
        for (index_t i = 0; i < front.tiles(); ++i)
            if (front.stored(i, j) && front.is_own(i, j) && !has_valid_copy(front.handle(i, j), STARPU_MAIN_RAM))
                return false;
    for (index_t k = 0; k < front.own_tiles() && has_pivot_records(front.kind()); ++k)
        if (!has_valid_copy(front.record_handle(k), STARPU_MAIN_RAM)) return false;
    return true;
}

template <class T>
bool all_on_host(const TreeFactors<T>& factors) {
    const auto is_on_device = [](const PartPlace& place) { return !place.on_host; };
    const auto& places = factors.parts.places();
    if (std::any_of(places.begin(), places.end(), is_on_device)) return false;
    if (starpu_memory_nodes_get_count() == 1) return true;
    if (!factors.ownership.is_alone()) return true;  // cores made them
    if (factors.are_units_in_parts_alone()) return true;
    for (const SubtreeFactors<T>& s : factors.subtrees())
        if (!has_valid_copy(s.handle.get(), STARPU_MAIN_RAM)) return false;
    for (const auto& front : factors.tiled())
        if (!tiles_on_host(*front)) return false;
    return true;
}

}  // namespace

template <class T>
bool factors_on_host(const TreeFactors<T>& factors) {
    if (factors.seen_on_host) return true;
    const std::shared_lock lock(factors.place_mutex);
    if (all_on_host(factors)) factors.seen_on_host = true;
    return factors.seen_on_host;
}

#define FROND_INSTANTIATE(T) template bool factors_on_host<T>(const TreeFactors<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
