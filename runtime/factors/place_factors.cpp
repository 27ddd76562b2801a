// SPDX-License-Identifier: BSD-3-Clause
#include "factors/place_factors.hpp"

#include <algorithm>
#include <utility>

#include "factors/tree_factors.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/predict_peak.hpp"

namespace frond::detail {
namespace {

/// Pieces with fronts first .. last, ascending. piece_of: of each front.
std::vector<index_t> pieces_of(const std::vector<index_t>& piece_of, index_t first, index_t last) {
    std::vector<index_t> pieces(piece_of.begin() + first, piece_of.begin() + last + 1);
    std::sort(pieces.begin(), pieces.end());
    pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
    return pieces;
}

/// Where the parts of factors begin, and on which nodes.
template <class T>
class HeldParts {
public:
    explicit HeldParts(const TreeFactors<T>& factors) : factors_(factors) {}

    template <class S>
    S* address(S* place) const {
        return place == nullptr ? nullptr
                                : gpu::in_part(place, factors_.parts.begin()[factors_.layout->index_of(place)]);
    }
    unsigned node(const void* place) const {
        return place == nullptr ? 0 : factors_.parts.places()[factors_.layout->index_of(place)].node;
    }

    MadeFactors<T> tiles_of(std::size_t front) const {
        MadeFactors<T> made{factors_.layout->fronts[front], {}, {}};
        for (auto& tile : made.places.tiles) {
            made.tile_node.push_back(node(tile.data));
            tile.data = address(tile.data);
        }
        for (unsigned char*& record : made.places.records) {
            made.record_node.push_back(node(record));
            record = address(record);
        }
        return made;
    }

private:
    const TreeFactors<T>& factors_;
};

/// Counts the bytes of all parts.
template <class T>
count_t count_bytes_on_device(const Analysis& analysis) {
    count_t bytes = 0;
    for (const Subtree& s : analysis.mapping.subtrees)
        bytes += FactorRoom::aligned(subtree_bytes<T>(analysis, s).factors);
    for (const TileGrid& grid : analysis.mapping.grids)
        bytes += TiledFront<T>::bytes_on_device(grid, analysis.factorization);
    return bytes;
}

}  // namespace

template <class T>
count_t factor_bytes_on_device(const Analysis& analysis) {
    struct Name {};
    return analysis.facts.of<Name>(0, [&] { return count_bytes_on_device<T>(analysis); });
}

template <class T>
std::shared_ptr<const FactorLayout<T>> factor_layout(const Analysis& analysis, const std::vector<index_t>& piece_of,
                                                     gpu::PartNumber first_number, count_t most_part_bytes) {
    const auto layout = std::make_shared<FactorLayout<T>>();
    const AssemblyTree& tree = analysis.tree;
    FactorRoom room(first_number, most_part_bytes);
    layout->first_number = first_number;
    layout->fronts.resize(tree.fronts.size());
    for (const Subtree& s : analysis.mapping.subtrees) {
        T* part = static_cast<T*>(
            room.take(pieces_of(piece_of, s.first_front, s.root_front), subtree_bytes<T>(analysis, s).factors));
        for (index_t f = s.first_front; f <= s.root_front; ++f) {
            layout->fronts[at(f)].part = part;
            part += front_panels(tree.fronts[at(f)], analysis.factorization).size;
        }
    }
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[at(f)];
        const std::vector<index_t> own = pieces_of(piece_of, f, f);
        if (grid >= 0)
            TiledFront<T>::place(
                analysis.mapping.grids[at(grid)], analysis.factorization,
                [&](count_t bytes) { return room.take(own, bytes); }, layout->fronts[at(f)]);
    }
    layout->parts = std::move(room).parts();
    return layout;
}

template <class T>
PlacedUnits<T> place_factors_in_parts(const TreeFactors<T>& factors) {
    const Analysis& analysis = *factors.analysis;
    const HeldParts<T> held(factors);
    PlacedUnits<T> placed;
    for (std::size_t s = 0; s < analysis.mapping.subtrees.size(); ++s) {
        T* const chunk = factors.layout->fronts[at(analysis.mapping.subtrees[s].first_front)].part;
        placed.subtrees.push_back(SubtreeFactors<T>::made(analysis, s, held.address(chunk), held.node(chunk)));
    }
    placed.tiled.resize(analysis.mapping.grids.size());
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[f];
        if (grid < 0) continue;
        placed.tiled[at(grid)] =
            std::make_unique<TiledFront<T>>(analysis.tree.fronts[f], analysis.mapping.grids[at(grid)], factors.kind(),
                                            held.tiles_of(f));
    }
    return placed;
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template count_t factor_bytes_on_device<T>(const Analysis&);                                                   \
    template std::shared_ptr<const FactorLayout<T>> factor_layout<T>(const Analysis&, const std::vector<index_t>&, \
                                                                     gpu::PartNumber, count_t);                    \
    template PlacedUnits<T> place_factors_in_parts<T>(const TreeFactors<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
