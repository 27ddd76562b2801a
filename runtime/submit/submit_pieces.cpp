// SPDX-License-Identifier: BSD-3-Clause
#include "submit/submit_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/flop_counts.hpp"
#include "handles/insert_task.hpp"

namespace frond::detail {
namespace {

bool has(const std::vector<index_t>& ascending, index_t value) {
    return std::binary_search(ascending.begin(), ascending.end(), value);
}

/// Accesses of one piece to parts, by their numbers.
template <class T>
class PieceAccesses {
public:
    PieceAccesses(const FactorsState<T>& state, const TreeWorkspace<T>& workspace, std::size_t piece)
        : state_(state), workspace_(workspace), number_(piece), piece_(workspace.resident->pieces()[piece]) {}

    Access operator()(index_t number) const {
        const std::size_t first = workspace_.layout->first_number;
        return at(number) < first ? to_room(number - 1) : to_factors(at(number) - first);
    }

private:
    Access to_room(index_t room) const {
        const bool reads = has(piece_.reads, room), writes = has(piece_.writes, room);
        return {workspace_.rooms.handles()[at(room)].get(), reads && writes ? STARPU_RW : reads ? STARPU_R : STARPU_W};
    }
    Access to_factors(std::size_t part) const {
        const bool is_first = at(workspace_.layout->parts[part].pieces.front()) == number_;
        return {state_.parts.handles()[part].get(), is_first ? STARPU_W : STARPU_RW};
    }

    const FactorsState<T>& state_;
    const TreeWorkspace<T>& workspace_;
    std::size_t number_;
    const gpu::TreePiece& piece_;
};

template <class T>
double flops_of(const Analysis& analysis, const gpu::TreePiece& piece) {
    const auto first = analysis.cost.front_flops.begin();
    return std::accumulate(first + piece.first_front, first + piece.last_front + 1, 0.0) * flops_per_real<T>;
}

template <class T>
void submit_piece(Job& job, const FactorsState<T>& state, const TreeWorkspace<T>& workspace, const gpu::TreeRun<T>& run,
                  std::size_t number) {
    const gpu::TreePiece& piece = workspace.resident->pieces()[number];
    const PieceParts& parts = workspace.parts_of_piece[number];
    FactorPieceArguments a;
    a.tree = workspace.resident.get();
    a.run = &run;
    a.piece = static_cast<index_t>(number);
    a.parts = &parts;
    a.flops = flops_of<T>(*state.analysis, piece);
    a.place = Place::device;
    a.label.piece = a.piece;
    a.label.front = piece.first_front;
    a.label.last_front = piece.last_front;
    a.worker = workspace.devices[at(piece.device)].worker;
    const PieceAccesses<T> access(state, workspace, number);
    std::vector<Access> accesses;
    for (const index_t part : parts.on_host) accesses.push_back(access(part));
    accesses.push_back({workspace.values.get(), STARPU_R});
    for (const index_t part : parts.on_device) accesses.push_back(access(part));
    accesses.push_back({workspace.order_of_pieces[at(piece.device)].get(), STARPU_RW});
    insert_task(job, factor_piece_codelet<T>(static_cast<index_t>(parts.on_host.size())), a, accesses, STARPU_MAX_PRIO);
}

}  // namespace

template <class T>
void submit_pieces(Job& job, const FactorsState<T>& state, const TreeWorkspace<T>& workspace,
                   const gpu::TreeRun<T>& run) {
    for (std::size_t piece = 0; piece < workspace.resident->pieces().size(); ++piece)
        submit_piece(job, state, workspace, run, piece);
}

#define FROND_INSTANTIATE(T) \
    template void submit_pieces<T>(Job&, const FactorsState<T>&, const TreeWorkspace<T>&, const gpu::TreeRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
