// SPDX-License-Identifier: BSD-3-Clause
// A piece of a tree on a core next to a device, for which it leaves factors and contribution block as the device would.
#include "core_piece.hpp"

#include "frond/base/host_block.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/subtree.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond {
namespace {

/// The diagonal that the subtree left in its chunk.
template <class T>
void collect_pivots(const CorePieceArguments& a, const T* chunk, std::vector<T>& pivots) {
    const Factorization kind = a.analysis->factorization;
    const bool indefinite = has_block_diagonal(kind);
    pivots.clear();
    for (index_t f = a.subtree->first_front; f <= a.subtree->root_front; ++f) {
        const Front& front = a.analysis->tree.fronts[at(f)];
        const FrontPanels panels = front_panels(front, kind);
        const T* const first = chunk + (indefinite ? panels.pivots : panels.panel);
        const count_t count = (indefinite ? 2 : 1) * static_cast<count_t>(front.npiv);
        const count_t step = indefinite ? 1 : static_cast<count_t>(front.nfront) + 1;
        for (count_t k = 0; k < count; ++k) pivots.push_back(first[k * step]);
        chunk += panels.size;
    }
}

template <class T>
bool are_good(const PivotReport& report, const cpu::SubtreeSecondPasses<T>& second_passes) {
    return report.failed_column < 0 && report.perturbed == 0 && report.zero == 0 && second_passes.empty();
}

template <class T>
void core_piece_cpu(void* buffers[], void* raw) noexcept {
    run_task<CorePieceArguments>(raw, [&](CorePieceArguments& a) {
        const AssemblyTree& tree = a.analysis->tree;
        const auto& begin = a.analysis->entry_map.front_begin;
        const count_t first = begin[at(a.subtree->first_front)], end = begin[at(a.subtree->root_front) + 1];
        const count_t entries = end - first;
        const count_t arena = cpu::subtree_arena_scalars(tree, *a.subtree, a.analysis->factorization);
        const HostBlock work((round_up_8(entries) + arena) * static_cast<count_t>(sizeof(T)));
        T* const scaled = static_cast<T*>(work.data());
        cpu::scale_entries(*a.analysis, *a.scaling, nullptr, vector_buffer<const T>(buffers, 0), first, end, scaled);
        T* const chunk = reinterpret_cast<T*>(vector_buffer<unsigned char>(buffers, 1) + a.first_byte);
        const index_t ncb = tree.fronts[at(a.subtree->root_front)].ncb();
        const DenseView<T> block{ncb > 0 ? vector_buffer<T>(buffers, 3) : nullptr, ncb, ncb, ncb};
        cpu::SubtreeSecondPasses<T> second_passes;
        auto& pivots = object_buffer<cpu::PiecePivots<T>>(buffers, 2);
        pivots.report = {};
        cpu::factor_subtree(*a.analysis, *a.subtree, scaled, a.rule, chunk, pivots.perm.data(), block,
                            scaled + round_up_8(entries), a.job->stop_flags(),
                            a.rule.threshold > 0 ? &second_passes : nullptr, pivots.report);
        if (a.job->stopped()) return;
        pivots.are_good = are_good(pivots.report, second_passes);
        if (pivots.are_good) collect_pivots(a, chunk, pivots.pivots);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(core_piece_codelet, "factor_piece", 0x1D3557, TaskModel::Work::flops, relative_speed<T>,
                      core_piece_cpu<T>)

}  // namespace frond
