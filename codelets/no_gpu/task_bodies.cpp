// SPDX-License-Identifier: BSD-3-Clause
// Bodies that codelets name and nobody calls: where there is no device, or only simulated ones.
#include "frond/base/instantiate.hpp"
#include "tasks/pivots/accept_pivots.hpp"
#include "tasks/solve/segments.hpp"
#include "tasks/assembly/assemble_tile.hpp"
#include "tasks/piece/factor_piece.hpp"
#include "tasks/panel/factor_columns.hpp"
#include "tasks/panel/factor_diagonal.hpp"
#include "tasks/solve/solve_diagonal_tile.hpp"
#include "tasks/panel/solve_panel.hpp"
#include "tasks/solve/solve_piece.hpp"
#include "tasks/panel/update_tile.hpp"

namespace frond::gpu {

void bring_piece(void*[], void*) noexcept {}
void solve_on_worker(void*[], void*) noexcept {}
void store_part(void*[], void*) noexcept {}

#define FROND_NO_BODY(name) \
    template <class T>      \
    void name(void*[], void*) noexcept {}
FROND_NO_BODY(accept_pivots)
FROND_NO_BODY(add_products)
FROND_NO_BODY(assemble_tile)
FROND_NO_BODY(factor_columns)
FROND_NO_BODY(factor_diagonal)
FROND_NO_BODY(factor_piece)
FROND_NO_BODY(multiply_segments)
FROND_NO_BODY(solve_diagonal_tile)
FROND_NO_BODY(solve_panel)
FROND_NO_BODY(update_segments)
FROND_NO_BODY(update_tile)

#define FROND_INSTANTIATE(T)                                       \
    template void accept_pivots<T>(void*[], void*) noexcept;       \
    template void add_products<T>(void*[], void*) noexcept;        \
    template void assemble_tile<T>(void*[], void*) noexcept;       \
    template void factor_columns<T>(void*[], void*) noexcept;      \
    template void factor_diagonal<T>(void*[], void*) noexcept;     \
    template void factor_piece<T>(void*[], void*) noexcept;        \
    template void multiply_segments<T>(void*[], void*) noexcept;   \
    template void solve_diagonal_tile<T>(void*[], void*) noexcept; \
    template void solve_panel<T>(void*[], void*) noexcept;         \
    template void update_segments<T>(void*[], void*) noexcept;     \
    template void update_tile<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
