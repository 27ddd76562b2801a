// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "frond/cpu/dense_view.hpp"
#include "engine/data_handle.hpp"

namespace frond::detail {

/// The diagonal of a tile on the host, wherever StarPU has the tile: the rest of one that only devices have stays there.
/// The diagonal of a tile, while no task writes the tile.
template <class T>
class TileDiagonal {
public:
    /// data: a matrix of at least n columns. @throws RuntimeError, DeviceError
    TileDiagonal(DataRef data, index_t n);

    /// [n, n] Only entries (k, k) are there.
    DenseView<const T> view() const;

private:
    std::optional<HostAccess> whole_;
    std::vector<T> diagonal_;  // without that
    index_t n_;
    index_t ld_ = 0;
};

}  // namespace frond::detail
