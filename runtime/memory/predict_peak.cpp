// SPDX-License-Identifier: BSD-3-Clause
#include "memory/predict_peak.hpp"

#include <algorithm>

#include "engine/tiled_front.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/solver.hpp"

namespace frond::detail {
namespace {

template <class V>
count_t vector_bytes(const std::vector<V>& v) {
    return static_cast<count_t>(v.size() * sizeof(V));
}

template <class T>
count_t square_bytes(index_t n) {
    return static_cast<count_t>(n) * n * static_cast<count_t>(sizeof(T));
}

template <class T>
UnitBytes unit_bytes(const Analysis& analysis, index_t front, const TreeShare* share) {
    const Mapping& mapping = analysis.mapping;
    const index_t s = mapping.subtree_of_front[static_cast<std::size_t>(front)];
    return s >= 0 ? subtree_bytes<T>(analysis, mapping.subtrees[static_cast<std::size_t>(s)])
                  : front_bytes<T>(analysis, front, share);
}

/// Tiles of contribution blocks of other ranks that are assembled in a front of this rank.
count_t received_bytes_for(const Analysis& analysis, const TreeShare& share, index_t front) {
    count_t bytes = 0;
    for_each_message(analysis.tree, share.mapping, share.rule, front, [&](const Message& m) {
        if (m.kind == MessageKind::contribution && m.destination == share.rank()) bytes += m.bytes;
    });
    return bytes;
}

/// Factors and contributions of the postorder, one unit after the other: largest sum, and the largest
/// part of it that is not factors.
struct Walk {
    count_t peak = 0;
    count_t factors = 0;
    count_t largest_stack = 0;
};

template <class T>
Walk walk_postorder(const Analysis& analysis, const TreeShare* share) {
    const AssemblyTree& tree = analysis.tree;
    Walk w;
    count_t stack = 0;
    std::vector<count_t> contribution(tree.fronts.size(), 0);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t s = analysis.mapping.subtree_of_front[at(f)];
        if (s >= 0 && analysis.mapping.subtrees[at(s)].root_front != f) continue;
        if (share == nullptr || share->has_part(f)) {
            const UnitBytes b = unit_bytes<T>(analysis, f, share);
            const count_t received = share != nullptr && s < 0 ? received_bytes_for(analysis, *share, f) : 0;
            w.factors += b.factors;
            stack += b.contribution;
            contribution[at(f)] = b.contribution;
            w.largest_stack = std::max(w.largest_stack, stack + b.temporary + received);
            w.peak = std::max(w.peak, w.factors + stack + b.temporary + received);
        }
        if (s >= 0) continue;
        for (count_t c = tree.child_begin[at(f)]; c < tree.child_begin[at(f) + 1]; ++c)
            stack -= contribution[at(tree.children[at(c)])];
    }
    return w;
}

}  // namespace

template <class T>
UnitBytes subtree_bytes(const Analysis& analysis, const Subtree& subtree) {
    const index_t ncb = analysis.tree.fronts[static_cast<std::size_t>(subtree.root_front)].ncb();
    UnitBytes b;
    b.factors =
        cpu::subtree_factor_scalars(analysis.tree, subtree, analysis.factorization) * static_cast<count_t>(sizeof(T));
    b.contribution = square_bytes<T>(ncb);
    b.temporary =
        cpu::subtree_arena_scalars(analysis.tree, subtree, analysis.factorization) * static_cast<count_t>(sizeof(T));
    return b;
}

template <class T>
UnitBytes front_bytes(const Analysis& analysis, index_t front, const TreeShare* share) {
    const TileGrid& grid = analysis.mapping.grids[at(analysis.mapping.grid_of_front[at(front)])];
    TilesHere here;
    count_t received = 0;
    if (share != nullptr && share->has_shared_tiles(front)) {
        here = {&share->mapping.grid[at(front)], share->rank()};
        received =
            received_panels_bytes<T>(grid, received_tiles(share->mapping, share->rule, front, Rank{share->rank()}),
                                     analysis.factorization);
    }
    const TiledFrontBytes t = TiledFront<T>::bytes(grid, analysis.factorization, here);
    return {t.own, t.contribution, t.panel_backup + received};
}

count_t analysis_bytes(const Analysis& a) {
    return vector_bytes(a.row_order) + vector_bytes(a.column_order) + vector_bytes(a.pair_with_next) +
           vector_bytes(a.matching_row_of_column) + vector_bytes(a.mapping.subtree_of_front) +
           vector_bytes(a.mapping.grid_of_front) + vector_bytes(a.mapping.bottom_level_flops) +
           vector_bytes(a.cost.front_flops) + vector_bytes(a.tree.fronts) + vector_bytes(a.tree.rows) +
           vector_bytes(a.tree.relative_rows) + vector_bytes(a.tree.first_descendant) +
           vector_bytes(a.tree.child_begin) + vector_bytes(a.tree.children) + vector_bytes(a.entry_map.source) +
           vector_bytes(a.entry_map.row) + vector_bytes(a.entry_map.column) + vector_bytes(a.entry_map.front_begin);
}

/// Vectors by row or column that live as long as the factors: scaling (2), pivot order, and of the system
/// that residuals are computed with the inverse of the scaling and two sums of rows.
template <class T>
count_t vectors_bytes(index_t order) {
    return static_cast<count_t>(order) *
           static_cast<count_t>(3 * sizeof(double) + sizeof(index_t) + 2 * sizeof(real_t<T>));
}

template <class T>
count_t workspace_bytes(const Analysis& analysis) {
    index_t widest = 0, longest = 0;
    for (const TileGrid& grid : analysis.mapping.grids)
        for (index_t t = 0; t < grid.tiles(); ++t)
            (t < grid.own_tiles ? widest : longest) = std::max(t < grid.own_tiles ? widest : longest, grid.size(t));
    longest = std::max(longest, widest);
    const count_t scalars = std::max({cpu::factor_lu_workspace(widest), cpu::factor_ldlt_workspace(widest),
                                      cpu::solve_panel_lu_upper_workspace(widest, longest)});
    return scalars * static_cast<count_t>(sizeof(T));
}

/// StarPU with its workers and BLAS, before any matrix (measured: 11 to 12 MB).
constexpr count_t session_bytes = count_t{12} << 20;

/// The heap keeps a twentieth of what is in use in holes (base/heap/heap_segments.cpp).
constexpr count_t holes(count_t bytes) { return bytes / 20; }

/// Which entries of A go to which tile, while fronts on tiles are assembled.
count_t entry_list_bytes(const Analysis& analysis) {
    count_t entries = 0;
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f)
        if (analysis.mapping.grid_of_front[f] >= 0)
            entries += analysis.entry_map.front_begin[f + 1] - analysis.entry_map.front_begin[f];
    return entries * static_cast<count_t>(sizeof(count_t));
}

/// A, its row sums and its scaling: of several ranks, rank 0 alone has them whole.
template <class T>
count_t matrix_bytes(const Analysis& analysis) {
    return vectors_bytes<T>(analysis.order) + analysis.entries * static_cast<count_t>(sizeof(T) + sizeof(index_t)) +
           static_cast<count_t>(analysis.order) * static_cast<count_t>(sizeof(count_t));
}

template <class T>
PeakPrediction predict_peak(const Analysis& analysis, index_t workers, const TreeShare* share) {
    const auto scalar = static_cast<count_t>(sizeof(T));
    const Walk w = walk_postorder<T>(analysis, share);
    PeakPrediction p;
    p.most_pending_tasks = share != nullptr ? most_pending_tasks(workers) : most_pending_tasks(analysis);
    const RuntimeBytes runtime = runtime_bytes(analysis, share, p.most_pending_tasks);
    const bool has_matrix = share == nullptr || share->rank() == 0;
    p.lasting_bytes = analysis_bytes(analysis) + (has_matrix ? matrix_bytes<T>(analysis) : 0) + runtime.handles +
                      session_bytes + holes(w.peak);
    const count_t scaled_entries = static_cast<count_t>(analysis.entry_map.row.size()) * scalar;
    p.fixed_bytes = p.lasting_bytes + scaled_entries + workers * workspace_bytes<T>(analysis) + runtime.tasks +
                    entry_list_bytes(analysis);
    p.factor_bytes = w.factors;
    p.sequential_bytes = p.fixed_bytes + w.peak;
    // The submitter submits more than the workers do only as far as it fits: with a tenth more than the sequential
    // stack the workers never waited on the matrices measured (docs/memory.md).
    p.parallel_bytes = p.sequential_bytes + w.largest_stack / 10;
    return p;
}

#define FROND_INSTANTIATE(T)                                                       \
    template UnitBytes subtree_bytes<T>(const Analysis&, const Subtree&);          \
    template UnitBytes front_bytes<T>(const Analysis&, index_t, const TreeShare*); \
    template count_t workspace_bytes<T>(const Analysis&);                          \
    template PeakPrediction predict_peak<T>(const Analysis&, index_t, const TreeShare*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

namespace frond {

template <class T>
count_t predicted_peak_bytes(const Analysis& analysis, index_t workers) {
    return detail::predict_peak<T>(analysis, workers > 0 ? workers : analysis.mapping.workers).parallel_bytes;
}

#undef FROND_INSTANTIATE
#define FROND_INSTANTIATE(T) template count_t predicted_peak_bytes<T>(const Analysis&, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
