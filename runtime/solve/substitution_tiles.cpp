// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution inside one front on tiles.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "solve/substitution.hpp"
#include "submit/insert_task.hpp"

namespace frond::detail {
namespace {

/// A task reads at least this much of the factors, so that its cost hides StarPU's.
constexpr count_t group_bytes = count_t{1} << 20;

}  // namespace

template <class T>
void Substitution<T>::diagonal_tile(Unit& unit, index_t k, SolveStage stage) {
    DiagonalTileArguments a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = state_.kind();
    const bool record = has_pivot_records(a.kind);
    const Access accesses[] = {{unit.tiled->handle(k, k), STARPU_R},
                               {segment(unit, k), STARPU_RW},
                               {record ? unit.tiled->record_handle(k) : nullptr, STARPU_R}};
    insert_task(job_, solve_diagonal_tile_codelet<T>(), a, std::span(accesses, record ? 3 : 2), 3);
}

/// Right-looking: once segment k is final, everything below it is updated.
template <class T>
void Substitution<T>::forward_tiles(Unit& unit) {
    for (index_t k = 0; k < unit.tiled->own_tiles(); ++k) {
        diagonal_tile(unit, k, SolveStage::forward);
        std::vector<Term> terms;
        for (index_t i = k + 1; i < unit.tiled->tiles(); ++i) terms.push_back({i, k});
        update_in_groups(unit, terms, false);
    }
}

/// The rows above come first, row tile by row tile; then right-looking from the last own tile up.
template <class T>
void Substitution<T>::backward_tiles(Unit& unit) {
    const index_t own = unit.tiled->own_tiles();
    std::vector<Term> terms;
    for (index_t i = 0; i < own; ++i)
        for (index_t j = own; j < unit.tiled->tiles(); ++j) terms.push_back({i, j});
    update_in_groups(unit, terms, true);
    for (index_t k = own - 1; k >= 0; --k) {
        diagonal_tile(unit, k, SolveStage::backward);
        terms.clear();
        for (index_t i = 0; i < k; ++i) terms.push_back({i, k});
        update_in_groups(unit, terms, true);
    }
}

/// Cuts the terms, whose targets ascend, into tasks of enough bytes; a target stays in one task.
template <class T>
void Substitution<T>::update_in_groups(Unit& unit, const std::vector<Term>& terms, bool backward) {
    std::vector<Term> group;
    count_t bytes = 0;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        group.push_back(terms[n]);
        const TileGrid& grid = unit.tiled->grid();
        bytes += static_cast<count_t>(grid.size(terms[n].target)) * grid.size(terms[n].source) *
                 static_cast<count_t>(sizeof(T));
        const bool target_ends = n + 1 == terms.size() || terms[n + 1].target != terms[n].target;
        if (!target_ends || (bytes < group_bytes && n + 1 < terms.size())) continue;
        update(unit, group, backward);
        group.clear();
        bytes = 0;
    }
}

/// target := target - op(tile) source. Forward reads L (or U^T), backward U (or L^T, L^H).
template <class T>
void Substitution<T>::update(Unit& unit, const std::vector<Term>& terms, bool backward) {
    std::vector<SegmentProduct>& products = products_.emplace_back();
    std::vector<Access> accesses;
    const auto buffer = [&accesses](starpu_data_handle_t handle, starpu_data_access_mode mode) {
        for (std::size_t b = 0; b < accesses.size(); ++b)
            if (accesses[b].handle == handle) return static_cast<index_t>(b);
        accesses.push_back({handle, mode});
        return static_cast<index_t>(accesses.size() - 1);
    };
    const bool symmetric = is_symmetric(state_.kind());
    const bool mirrored = symmetric ? backward : operation_ != Operation::none;
    const Operation op = !mirrored            ? Operation::none
                         : !symmetric         ? operation_
                         : state_.kind() == Factorization::ldlt ? Operation::transpose
                                                                : Operation::adjoint;
    for (const Term& t : terms) {
        const starpu_data_handle_t tile =
            mirrored ? unit.tiled->handle(t.source, t.target) : unit.tiled->handle(t.target, t.source);
        products.push_back({buffer(segment(unit, t.target), STARPU_RW), buffer(tile, STARPU_R),
                            buffer(segment(unit, t.source), STARPU_R), op});
    }
    UpdateSegmentsArguments a;
    a.products = &products;
    insert_task(job_, update_segments_codelet<T>(), a, accesses, 2);
}

#define FROND_INSTANTIATE(T)                                                                              \
    template void Substitution<T>::diagonal_tile(Unit&, index_t, SolveStage);                             \
    template void Substitution<T>::forward_tiles(Unit&);                                                  \
    template void Substitution<T>::backward_tiles(Unit&);                                                 \
    template void Substitution<T>::update_in_groups(Unit&, const std::vector<Term>&, bool);               \
    template void Substitution<T>::update(Unit&, const std::vector<Term>&, bool);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
