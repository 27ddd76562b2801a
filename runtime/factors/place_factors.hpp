// SPDX-License-Identifier: BSD-3-Clause
// Memory of factors that the tasks of pieces write on devices.
#pragma once

#include <memory>
#include <vector>

#include "engine/factor_room.hpp"
#include "frond/analysis/analysis.hpp"
#include "frond/gpu/front_factor_views.hpp"
#include "frond/gpu/tree_run.hpp"

namespace frond::detail {

template <class T>
class TreeFactors;
template <class T>
struct SubtreeFactors;
template <class T>
class TiledFront;

/// Where the factors of an analysis lie in parts that StarPU may put anywhere.
template <class T>
struct FactorLayout {
    gpu::PartNumber first_number{1};  // of parts[0]
    std::vector<FactorPart> parts;
    gpu::TreeFactorViews<T> fronts;  // relative to the parts

    gpu::PartNumber number_of(std::size_t part) const {
        return gpu::PartNumber{static_cast<index_t>(first_number) + static_cast<index_t>(part)};
    }
    /// Index in parts.
    std::size_t index_of(gpu::PartNumber number) const {
        return static_cast<std::size_t>(number) - static_cast<std::size_t>(first_number);
    }
    std::size_t index_of(const void* place) const { return index_of(gpu::part_number(place)); }
};

/// A part holds factors of one piece; of several only where a subtree of the mapping was cut into pieces. piece_of: of
/// each front. first_number, most_part_bytes: as FactorRoom's.
template <class T>
std::shared_ptr<const FactorLayout<T>> factor_layout(const Analysis& analysis, const std::vector<index_t>& piece_of,
                                                     gpu::PartNumber first_number, count_t most_part_bytes);

/// The bytes of all parts.
template <class T>
count_t factor_bytes_on_device(const Analysis& analysis);

/// Handles of all subtrees and tiles.
template <class T>
struct PlacedUnits {
    std::vector<SubtreeFactors<T>> subtrees;  // as analysis->mapping.subtrees
    std::vector<std::unique_ptr<TiledFront<T>>> tiled;  // as analysis->mapping.grids
};
/// Inside the parts of factors, which are held.
template <class T>
PlacedUnits<T> place_factors_in_parts(const TreeFactors<T>& factors);

}  // namespace frond::detail
