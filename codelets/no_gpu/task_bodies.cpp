// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "tasks/accept_pivots/accept_pivots.hpp"
#include "tasks/assemble_tile/assemble_tile.hpp"
#include "tasks/factor_diagonal/factor_diagonal.hpp"
#include "tasks/factor_piece/factor_piece.hpp"
#include "tasks/factor_subtree/factor_subtree.hpp"
#include "tasks/solve_panel/solve_panel.hpp"
#include "tasks/solve_piece/solve_piece.hpp"
#include "tasks/update_tile/update_tile.hpp"

namespace frond::gpu {

void add_device_body(starpu_codelet&, const DeviceBody&) {}

DeviceBody solve_on_device() { return {}; }

#define FROND_INSTANTIATE(T)                    \
    template <>                                 \
    DeviceBody accept_pivots_on_device<T>() {   \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody assemble_tile_on_device<T>() {   \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody factor_diagonal_on_device<T>() { \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody factor_piece_on_device<T>() {    \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody factor_subtree_on_device<T>() {  \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody solve_panel_on_device<T>() {     \
        return {};                              \
    }                                           \
    template <>                                 \
    DeviceBody update_tile_on_device<T>() {     \
        return {};                              \
    }
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
