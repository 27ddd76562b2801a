// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution inside one front on tiles.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "substitution/tree/substitution_run.hpp"
#include "tasks/solve/solve_diagonal_tile.hpp"

namespace frond::detail {
namespace {

/// A task reads at least this much of the factors, so that its cost hides StarPU's.
constexpr count_t group_bytes = count_t{1} << 20;

}  // namespace

template <class T>
void Substitution<T>::diagonal_tile(Unit& unit, index_t k, SolveStage stage, Execution execution) {
    DiagonalTileArguments a;
    a.stage = stage;
    a.operation = operation_;
    a.kind = factors_.kind();
    a.flops = solve_panel_flops(x_.cols, unit.tiled->grid().size(k)) * flops_per_real<T>;
    a.label = label_of(unit, stage);
    a.label.row = a.label.column = k;
    const bool record = has_pivot_records(a.kind);
    const starpu_matrix_interface tile = Segment<T>::interface_of(unit.tiled->tile(k, k));
    const starpu_vector_interface pivots = interface_of_vector(record ? unit.tiled->record_memory(k) : nullptr);
    const Segment<T>& segment = unit.tiles[static_cast<std::size_t>(k)];
    const Operand operands[] = {{unit.tiled->handle(k, k), &tile, STARPU_R},
                                {segment.handle.get(), &segment.seen, STARPU_RW},
                                {record ? unit.tiled->record_handle(k) : nullptr, &pivots, STARPU_R}};
    run(execution, solve_diagonal_tile_codelet<T>(unit.place), a, std::span(operands, record ? 3 : 2), 3);
}

/// Right-looking: once segment k is final, everything below it is updated.
template <class T>
void Substitution<T>::forward_tiles(Unit& unit, Execution execution) {
    for (index_t k = 0; k < unit.tiled->own_tiles(); ++k) {
        diagonal_tile(unit, k, SolveStage::forward, execution);
        std::vector<Term> terms;
        for (index_t i = k + 1; i < unit.tiled->tiles(); ++i) terms.push_back({i, k});
        update_in_groups(unit, terms, false, execution);
    }
}

/// The rows above come first, row tile by row tile; then right-looking from the last own tile up.
template <class T>
void Substitution<T>::backward_tiles(Unit& unit, Execution execution) {
    const index_t own = unit.tiled->own_tiles();
    std::vector<Term> terms;
    for (index_t i = 0; i < own; ++i)
        for (index_t j = own; j < unit.tiled->tiles(); ++j) terms.push_back({i, j});
    update_in_groups(unit, terms, true, execution);
    for (index_t k = own - 1; k >= 0; --k) {
        diagonal_tile(unit, k, SolveStage::backward, execution);
        terms.clear();
        for (index_t i = 0; i < k; ++i) terms.push_back({i, k});
        update_in_groups(unit, terms, true, execution);
    }
}

/// Cuts the terms, whose targets ascend, into tasks of enough bytes; a target stays in one task.
template <class T>
void Substitution<T>::update_in_groups(Unit& unit, const std::vector<Term>& terms, bool backward, Execution execution) {
    if (terms.empty()) return;
    if (execution == Execution::sequential) return update(unit, terms, backward, execution);
    std::vector<Term> group;
    count_t bytes = 0;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        group.push_back(terms[n]);
        const TileGrid& grid = unit.tiled->grid();
        bytes += static_cast<count_t>(grid.size(terms[n].target)) * grid.size(terms[n].source) *
                 static_cast<count_t>(sizeof(T));
        const bool target_ends = n + 1 == terms.size() || terms[n + 1].target != terms[n].target;
        if (!target_ends || (bytes < group_bytes && n + 1 < terms.size())) continue;
        update(unit, group, backward, execution);
        group.clear();
        bytes = 0;
    }
}

template <class T>
Operation Substitution<T>::tile_operation(bool backward) const {
    if (!is_mirrored(backward)) return Operation::none;
    if (!is_symmetric(factors_.kind())) return operation_;
    return factors_.kind() == Factorization::ldlt ? Operation::transpose : Operation::adjoint;
}

/// target := target - op(tile) source. Forward reads L (or U^T), backward U (or L^T, L^H).
template <class T>
void Substitution<T>::update(Unit& unit, const std::vector<Term>& terms, bool backward, Execution execution) {
    const bool mirrored = is_mirrored(backward);
    const Operation op = tile_operation(backward);
    std::vector<SegmentProduct> local;
    std::vector<SegmentProduct>& products = execution == Execution::sequential ? local : products_.emplace_back();
    std::vector<starpu_matrix_interface> tiles;
    tiles.reserve(terms.size());
    UpdateSegmentsArguments a;
    std::vector<Operand> operands;
    std::vector<index_t> operand_of_segment(unit.tiles.size(), -1);
    const auto segment = [&](index_t t, starpu_data_access_mode mode) {
        index_t& number = operand_of_segment[static_cast<std::size_t>(t)];
        if (number < 0) {
            const Segment<T>& s = unit.tiles[static_cast<std::size_t>(t)];
            number = static_cast<index_t>(operands.size());
            operands.push_back({s.handle.get(), &s.seen, mode});
        }
        return number;
    };
    for (const Term& t : terms) {
        const index_t row = mirrored ? t.source : t.target, column = mirrored ? t.target : t.source;
        const index_t target = segment(t.target, STARPU_RW), source = segment(t.source, STARPU_R);
        products.push_back({target, static_cast<index_t>(operands.size()), source, op});
        tiles.push_back(Segment<T>::interface_of(unit.tiled->tile(row, column)));
        a.flops += update_flops(tiles.back().nx, tiles.back().ny, x_.cols) * flops_per_real<T>;
        operands.push_back({unit.tiled->handle(row, column), &tiles.back(), STARPU_R});
    }
    a.products = &products;
    a.label = label_of(unit, backward ? SolveStage::backward : SolveStage::forward);
    a.label.row = terms.front().target;
    a.label.column = terms.front().source;
    run(execution, update_segments_codelet<T>(unit.place), a, operands, 2);
}

#define FROND_INSTANTIATE(T)                                                                           \
    template void Substitution<T>::diagonal_tile(Unit&, index_t, SolveStage, Execution);               \
    template void Substitution<T>::forward_tiles(Unit&, Execution);                                    \
    template void Substitution<T>::backward_tiles(Unit&, Execution);                                   \
    template void Substitution<T>::update_in_groups(Unit&, const std::vector<Term>&, bool, Execution); \
    template Operation Substitution<T>::tile_operation(bool) const;                                    \
    template void Substitution<T>::update(Unit&, const std::vector<Term>&, bool, Execution);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
