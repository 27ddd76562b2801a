// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix that several ranks have parts of, as factorizations and solves use it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frond/analysis/dense_steps.hpp"
#include "engine/tiled_front.hpp"
#include "messages/tree_share.hpp"
#include "system/remote_operator.hpp"

namespace frond::detail {

/// The tiles of this rank while their entries come.
template <class T>
class OpenTiles {
public:
    /// The memory of a tile, which nobody else uses until close(). No data: it has none, since the job has failed.
    virtual DenseView<T> open(index_t i, index_t j) noexcept = 0;
    virtual void close(index_t i, index_t j) noexcept = 0;

protected:
    ~OpenTiles() = default;
};

/// Brings the entries of A, scaled, to the ranks that have the tiles. All ranks take part in it once in each
/// factorization, whatever happens to one of them, since the others wait.
template <class T>
class DenseLoading {
public:
    DenseLoading() = default;
    DenseLoading(const DenseLoading&) = delete;
    DenseLoading& operator=(const DenseLoading&) = delete;
    virtual ~DenseLoading() = default;

    /// tiles: null: what comes is not kept. Nothing the second time. @throws OutOfMemory  on all ranks
    virtual void load(OpenTiles<T>* tiles) = 0;
};

/// On rank 0, for the thread that leads the others: dense_of_ranks() of factors/other_ranks.hpp.
template <class T>
class DenseRanks : public RemoteMatrix<T> {
public:
    /// As stored; [n].
    virtual std::vector<T> diagonal() const = 0;
    /// See frond::may_be_definite.
    virtual bool may_be_definite(const std::vector<double>& root) const = 0;
    virtual DenseMaxima maxima(const Scaling& scaling) const = 0;
    /// Tiles of this order are where the caller has their entries, on a table of ranks; 0: there are none. Asks nobody.
    virtual index_t tile_of_layout() const = 0;
    /// Into tiles of rank 0 alone, or with `share` into those of all. What is given must outlive it.
    virtual std::unique_ptr<DenseLoading<T>> loading(const TileGrid& grid, Factorization kind, const Scaling& scaling,
                                                     const TreeShare* share) const = 0;
};

}  // namespace frond::detail
