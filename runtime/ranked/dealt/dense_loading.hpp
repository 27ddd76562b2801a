// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "system/dense_parts/tile_parcels.hpp"
#include "factors/dense_ranks.hpp"
#include "ranks/communicator.hpp"

namespace frond::detail {

/// One tile column after the other goes from the ranks that have its entries to those that have the tiles, so that on its
/// way there is no more than that in addition to A and the factors.
template <class T>
class DealtLoading final : public DenseLoading<T> {
public:
    /// What all ranks know alike; it outlives this.
    struct Plan {
        const TileGrid* grid = nullptr;
        Factorization kind = Factorization::lu;
        const Scaling* scaling = nullptr;
        std::function<index_t(index_t i, index_t j)> owner;  // of a tile
    };
    /// begin: called before the first message; may be empty.
    DealtLoading(Communicator& ranks, const DensePart<T>& a, Plan plan, std::function<void()> begin);

    void load(OpenTiles<T>* tiles) override;

private:
    void load_column(index_t j, OpenTiles<T>* tiles);
    void unpack(index_t j, const std::vector<T>& in, const std::vector<count_t>& begin, OpenTiles<T>* tiles) const;
    TilePlace place(index_t i, index_t j) const;
    /// visit(i) of the tiles in column j that a rank has.
    template <class Visit>
    void for_tiles(index_t j, index_t rank, const Visit& visit) const;

    Communicator& ranks_;
    const DensePart<T>& a_;
    Plan plan_;
    std::function<void()> begin_;
    bool done_ = false;
};

}  // namespace frond::detail
