// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution inside a front that several ranks share. A rank does the products with its own tiles, in
// the order of one rank; segments of the vectors go from rank to rank.
#include <algorithm>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "messages/job_messages.hpp"
#include "substitution/tree/substitution_run.hpp"

namespace frond::detail {
namespace {

constexpr SolveStage all_stages[] = {SolveStage::forward, SolveStage::diagonal, SolveStage::backward};
/// Others wait for what travels.
constexpr int move_priority = 3;

/// visit(target, source) in the order of forward_tiles and backward_tiles; with the diagonal tile both are the same.
template <class Visit>
void for_each_step(const TileGrid& grid, SolveStage stage, const Visit& visit) {
    const index_t own = grid.own_tiles;
    if (stage == SolveStage::diagonal)
        for (index_t k = 0; k < own; ++k) visit(k, k);
    if (stage == SolveStage::forward)
        for (index_t k = 0; k < own; ++k)
            for (index_t i = k; i < grid.tiles(); ++i) visit(i, k);
    if (stage != SolveStage::backward) return;
    for (index_t i = 0; i < own; ++i)
        for (index_t j = own; j < grid.tiles(); ++j) visit(i, j);
    for (index_t k = own - 1; k >= 0; --k) {
        visit(k, k);
        for (index_t i = 0; i < k; ++i) visit(i, k);
    }
}

}  // namespace

/// The rank that has the tile of a step.
template <class T>
index_t Substitution<T>::rank_of_step(const Unit& unit, SolveStage stage, index_t target, index_t source) const {
    const bool mirrored = is_mirrored(stage == SolveStage::backward);
    return share_->tile_owner(unit.planned->front, mirrored ? source : target, mirrored ? target : source);
}

template <class T>
void Substitution<T>::move_for_stage(const Unit& unit, SolveStage stage, SharedFront& front,
                                     const SegmentMoves::Move& move, const std::function<void(index_t, index_t)>& own) {
    for_each_step(*unit.grid, stage, [&](index_t target, index_t source) {
        const index_t rank = rank_of_step(unit, stage, target, source);
        if (source != target) front.moves.read(source, rank, move);
        front.moves.change(target, rank, move);
        if (rank == share_->rank()) own(target, source);
    });
    front.moves.gather(move);
}

/// Messages of all stages have names before the first is posted.
template <class T>
void Substitution<T>::make_shared_fronts(const SharedBlock& block) {
    for (std::size_t u = 0; u < units_.size(); ++u) {
        const Unit& unit = units_[u];
        const index_t f = unit.planned->front;
        if (unit.grid == nullptr || !share_->has_shared_tiles(f) || !share_->has_part(f)) continue;
        const auto begin = [&] {
            return SharedFront{block, SegmentMoves(unit.grid->tiles(), share_->ranks(), share_->owner(f)), 0};
        };
        SharedFront rehearsed = begin();
        for (const SolveStage stage : all_stages)
            move_for_stage(
                unit, stage, rehearsed, [](index_t, index_t, index_t, count_t) {}, [](index_t, index_t) {});
        SharedFront front = begin();
        front.most_messages = rehearsed.moves.messages();
        for (index_t t = 0; t < unit.grid->tiles(); ++t) {
            const count_t bytes = count_t{unit.grid->size(t)} * block.widest * static_cast<count_t>(sizeof(T));
            FROND_EXPECTS(bytes <= most_static_bytes,
                          "tile " + std::to_string(t) + " of front " + std::to_string(f) + " has " +
                              std::to_string(bytes) + " bytes of right-hand sides, but a message has at most " +
                              std::to_string(most_static_bytes) + "; solve with fewer at a time");
        }
        if (front.most_messages > 0) static_cast<void>(tag_of_move(f, front, front.most_messages - 1).packed());
        shared_fronts_.emplace(static_cast<index_t>(u), std::move(front));
    }
}

template <class T>
MessageTag Substitution<T>::tag_of_move(index_t front, const SharedFront& shared, count_t number) const {
    return {shared.block.solver, shared.block.call, front, static_cast<std::int64_t>(SolveMessageKind::front_segment),
            shared.block.number * shared.most_messages + number};
}

/// Messages are posted whatever becomes of the tasks.
template <class T>
void Substitution<T>::run_shared(index_t u, SolveStage stage) {
    Unit& unit = units_[at(u)];
    SharedFront& front = shared_fronts_.at(u);
    if (is_here(unit) && stage == SolveStage::forward) submit_tasks([&] { gather(unit, Execution::as_tasks); });
    if (is_here(unit) && stage == SolveStage::backward && unit.parent != nullptr && is_here(*unit.parent))
        submit_tasks([&] { scatter(unit, Execution::as_tasks); });
    if (is_here(unit) && stage == SolveStage::backward)
        submit_tasks([&] { second_pass(unit, stage, Execution::as_tasks); });
    const auto move = [&](index_t segment, index_t from, index_t to, count_t number) {
        const index_t here = share_->rank();
        if (from != here && to != here) return;
        const MessageTag tag = tag_of_move(unit.planned->front, front, number);
        const starpu_data_handle_t data = unit.tiles[at(segment)].handle.get();
        if (from == here)
            send(job_, *share_->channel, data, to, tag, move_priority);
        else
            receive(job_, *share_->channel, data, from, tag);
    };
    move_for_stage(unit, stage, front, move, [&](index_t target, index_t source) {
        submit_tasks([&] {
            if (target == source)
                diagonal_tile(unit, target, stage, Execution::as_tasks);
            else
                update(unit, {{target, source}}, stage == SolveStage::backward, Execution::as_tasks);
        });
    });
    if (is_here(unit) && stage != SolveStage::backward)
        submit_tasks([&] { second_pass(unit, stage, Execution::as_tasks); });
}

#define FROND_INSTANTIATE(T)                                                     \
    template void Substitution<T>::make_shared_fronts(const SharedBlock& block); \
    template void Substitution<T>::run_shared(index_t, SolveStage);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
