// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pieces/submit_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "tasks/piece/factor_piece.hpp"
#include "tasks/piece/core_piece.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/task_work.hpp"
#include "submit/pieces/moved_blocks.hpp"
#include "submit/pieces/piece_accesses.hpp"
#include "submit/pieces/shared_front_tasks.hpp"

namespace frond::detail {
namespace {

/// Real operations of each piece.
template <class T>
std::vector<double> flops_of_pieces(const Analysis& analysis, const gpu::ResidentFactorization<T>& resident) {
    std::vector<double> flops(resident.pieces().size(), 0.0);
    for (std::size_t f = 0; f < analysis.cost.front_flops.size(); ++f)
        flops[at(resident.piece_of_fronts()[f])] += analysis.cost.front_flops[f] * flops_per_real<T>;
    return flops;
}

/// The tasks of one factorization.
template <class T>
class PieceSubmission {
public:
    PieceSubmission(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, const gpu::TreeRun<T>& run)
        : job_(job),
          state_(state),
          workspace_(workspace),
          run_(run),
          pieces_(workspace.resident->pieces()),
          flops_(flops_of_pieces(*state.analysis, *workspace.resident)) {
        workspace.moved_blocks.assign(pieces_.size(), {});
    }

    /// The first piece of the device, of two, reads nothing of cores.
    void submit() {
        const std::size_t of_cores = workspace_.core_pivots.size();
        std::size_t next = of_cores;
        if (of_cores > 0 && pieces_.size() > of_cores + 1) on_device(next++);
        if (of_cores > 0) on_cores();
        workspace_.column_lists = {};
        index_t shared = 0;
        for (; next < pieces_.size(); ++next) {
            if (!run_.is_kept.empty() && run_.is_kept[next] != 0) continue;
            if (pieces_[next].device == gpu::TreePiece::by_all)
                submit_shared_front(job_, state_, workspace_, shared++);
            else
                on_device(next);
        }
        submit_fetching_of_pivots(job_, workspace_);
    }

private:
    void on_device(std::size_t number) {
        const gpu::TreePiece& piece = pieces_[number];
        const PieceParts& parts = workspace_.parts_of_piece[number];
        FactorPieceArguments a;
        a.tree = workspace_.resident.get();
        a.run = &run_;
        a.piece = static_cast<index_t>(number);
        a.parts = &parts;
        a.flops = flops_[number];
        a.variant = variant_of(state_.kind(), run_.rule_of_one);
        a.work = work_of_piece(piece.square_bytes, piece.launches, piece.levels);
        a.label = label_of(number);
        a.place = Place::device;
        a.worker = workspace_.devices[at(piece.device)].worker;
        const PieceAccesses<T> access(state_, workspace_, number);
        std::vector<Access> accesses;
        add_saved(number, accesses);
        for (const gpu::PartNumber part : parts.on_host) accesses.push_back(access(part));
        const std::size_t on_host = accesses.size();
        accesses.push_back({workspace_.values.get(), STARPU_R});
        for (const gpu::PartNumber part : parts.on_device) accesses.push_back(access(part));
        accesses.push_back({workspace_.order_of_pieces[at(piece.device)].get(), STARPU_RW});
        insert_task(job_, factor_piece_codelet<T>(on_host, accesses.size() - on_host), a, accesses, STARPU_MAX_PRIO,
                    move_blocks_of(number));
    }

    /// Adds what was kept for this piece, in the order of its list.
    void add_saved(std::size_t number, std::vector<Access>& accesses) const {
        if (workspace_.kept == nullptr) return;
        for (std::size_t r = 0; r < workspace_.kept->ranges.size(); ++r)
            if (at(workspace_.kept->ranges[r].piece) == number)
                accesses.push_back({workspace_.kept->saved.handles()[r].get(), STARPU_R});
    }

    /// Moves the blocks of a piece to the devices that use them, after its task.
    AfterTask move_blocks_of(std::size_t number) {
        std::vector<MovedBlock>& moved = workspace_.moved_blocks[number];
        const unsigned own = workspace_.devices[at(pieces_[number].device)].memory_node;
        for (const gpu::RoomNumber number_of_room : pieces_[number].writes) {
            const gpu::BlockRoom& room = workspace_.resident->rooms()[number_of_room];
            if (room.on_host) continue;
            for (const unsigned used : nodes_that_use(room))
                if (used != own)
                    moved.push_back({workspace_.rooms.handles()[static_cast<std::size_t>(number_of_room)].get(), used});
        }
        return moved.empty() ? AfterTask{} : AfterTask{begin_to_move, &moved};
    }

    std::vector<unsigned> nodes_that_use(const gpu::BlockRoom& room) const {
        if (room.used != gpu::TreePiece::by_all) return {workspace_.devices[at(room.used)].memory_node};
        std::vector<unsigned> nodes;
        for (std::size_t d = 0; d < workspace_.resident->used_devices(); ++d)
            nodes.push_back(workspace_.devices[d].memory_node);
        return nodes;
    }

    /// The largest first.
    void on_cores() {
        std::vector<std::size_t> order(workspace_.core_pivots.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return flops_[a] > flops_[b]; });
        for (const std::size_t number : order) on_core(number);
        const std::vector<int> workers = other_workers(workspace_.devices.front());
        for (std::size_t k = 0; k < order.size() && !workers.empty(); ++k) bring(order[k], workers[k % workers.size()]);
    }

    void on_core(std::size_t number) {
        const gpu::TreePiece& piece = pieces_[number];
        const Mapping& mapping = state_.analysis->mapping;
        const PieceAccesses<T> access(state_, workspace_, number);
        CorePieceArguments a;
        a.analysis = state_.analysis.get();
        a.subtree = &mapping.subtrees[at(mapping.subtree_of_front[at(piece.first_front)])];
        a.scaling = state_.system.scaling.get();
        a.rule = run_.rule_of_one;
        a.first_byte = gpu::distance_in_part(chunk_of(number));
        a.flops = flops_[number];
        a.variant = variant_of(state_.kind(), run_.rule_of_one);
        a.work = work_of_subtree(*state_.analysis, *a.subtree, static_cast<count_t>(sizeof(T)));
        a.label = label_of(number);
        std::vector<Access> accesses{{workspace_.values.get(), STARPU_R},
                                     access(part_of(number)),
                                     {workspace_.core_pivot_handles[number].get(), STARPU_RW}};
        for (const gpu::RoomNumber room : piece.writes) accesses.push_back(access(room));
        insert_task(job_, core_piece_codelet<T>(), a, accesses, 0);
    }

    /// Brings pieces of cores to the device, during its first piece.
    void bring(std::size_t number, int worker) {
        const PieceAccesses<T> access(state_, workspace_, number);
        TaskArguments a;
        a.label = label_of(number);
        a.place = Place::device;
        a.worker = worker;
        std::vector<Access> accesses{{access(part_of(number)).handle, STARPU_R}};
        for (const gpu::RoomNumber room : pieces_[number].writes) accesses.push_back({access(room).handle, STARPU_R});
        insert_task(job_, bring_piece_codelet(), a, accesses, STARPU_MAX_PRIO);
    }

    TaskLabel label_of(std::size_t number) const {
        TaskLabel label =
            label_of_subtree(state_.analysis->tree, pieces_[number].first_front, pieces_[number].last_front);
        label.piece = static_cast<index_t>(number);
        return label;
    }
    /// The factors of a piece on a core, relative to the part that it alone writes.
    const T* chunk_of(std::size_t number) const {
        return workspace_.layout->fronts[at(pieces_[number].first_front)].part;
    }
    gpu::PartNumber part_of(std::size_t number) const { return gpu::part_number(chunk_of(number)); }

    Job& job_;
    const FactorsState<T>& state_;
    TreeWorkspace<T>& workspace_;
    const gpu::TreeRun<T>& run_;
    const std::vector<gpu::TreePiece>& pieces_;
    std::vector<double> flops_;  // of each piece
};

}  // namespace

template <class T>
void submit_pieces(Job& job, const FactorsState<T>& state, TreeWorkspace<T>& workspace, const gpu::TreeRun<T>& run) {
    PieceSubmission<T>(job, state, workspace, run).submit();
}

#define FROND_INSTANTIATE(T) \
    template void submit_pieces<T>(Job&, const FactorsState<T>&, TreeWorkspace<T>&, const gpu::TreeRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
