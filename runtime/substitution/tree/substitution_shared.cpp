// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution inside a front that several ranks share. A rank does the products with its own tiles. A
// segment of the vectors is changed by its owner, in the order of one rank; what other ranks' tiles add to it comes
// there.
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

std::size_t number_of(SolveStage stage) { return static_cast<std::size_t>(stage); }

}  // namespace

/// The rank that has the tile of a step.
template <class T>
index_t Substitution<T>::rank_of_step(const Unit& unit, SolveStage stage, index_t target, index_t source) const {
    const bool mirrored = is_mirrored(stage == SolveStage::backward);
    return share_->tile_owner(unit.planned->front, mirrored ? source : target, mirrored ? target : source);
}

/// The owner of a segment, which alone changes it: the rank of its diagonal tile, or the rank that leads.
template <class T>
index_t Substitution<T>::home_of(const Unit& unit, index_t segment) const {
    const index_t front = unit.planned->front;
    return segment < unit.grid->own_tiles ? share_->tile_owner(front, segment, segment) : share_->owner(front);
}

template <class T>
void Substitution<T>::walk_shared(const Unit& unit, SolveStage stage, SharedFront& front,
                                  const SegmentMoves::Move& move, const SharedSteps& steps) {
    for_each_source(*unit.grid, stage, [&](index_t source, bool diagonal, const std::vector<index_t>& targets) {
        if (diagonal) {
            front.moves.change(source, home_of(unit, source), move);
            if (home_of(unit, source) == share_->rank()) steps.diagonal(source);
        }
        const std::vector<ProductBatch> batches = batches_of(
            *unit.grid, source, targets, [&](index_t t) { return rank_of_step(unit, stage, t, source); },
            [&](index_t t) { return home_of(unit, t); });
        for (const ProductBatch& batch : batches) {
            front.moves.read(source, batch.rank, move);
            for (const index_t target : batch.targets) front.moves.change(target, batch.home, move);
            steps.products(batch, batch.rank == batch.home ? 0 : front.moves.take_number());
        }
    });
    front.moves.gather(move);
}

/// Messages of all stages have names and memory before the first is posted.
template <class T>
void Substitution<T>::make_shared_fronts(const SharedBlock& block) {
    for (std::size_t u = 0; u < units_.size(); ++u) {
        const Unit& unit = units_[u];
        const index_t f = unit.planned->front;
        if (unit.grid == nullptr || !share_->has_shared_tiles(f) || !share_->has_part(f)) continue;
        const SegmentMoves at_rest(unit.grid->tiles(), share_->ranks(), share_->owner(f));
        for (index_t t = 0; t < unit.grid->tiles(); ++t) {
            const count_t bytes = count_t{unit.grid->size(t)} * block.widest * static_cast<count_t>(sizeof(T));
            FROND_EXPECTS(bytes <= most_static_bytes,
                          "tile " + std::to_string(t) + " of front " + std::to_string(f) + " has " +
                              std::to_string(bytes) + " bytes of right-hand sides, but a message has at most " +
                              std::to_string(most_static_bytes) + "; solve with fewer at a time");
        }
        SharedFront& front = shared_fronts_.try_emplace(static_cast<index_t>(u), block, at_rest).first->second;
        for (const SolveStage stage : all_stages) list_products(unit, stage, front);
        take_memory(front);
        front.most_messages = front.moves.messages();
        front.moves = at_rest;
        if (front.most_messages > 0) static_cast<void>(tag_of_move(f, front, front.most_messages - 1).packed());
    }
}

/// Lists the products that this rank sends or receives.
template <class T>
void Substitution<T>::list_products(const Unit& unit, SolveStage stage, SharedFront& front) {
    SharedSteps steps;
    steps.diagonal = [](index_t) {};
    steps.products = [&](const ProductBatch& batch, count_t) {
        const bool concerns = batch.rank == share_->rank() || batch.home == share_->rank();
        if (batch.rank != batch.home && concerns) front.products[number_of(stage)].push_back({batch, {}});
    };
    walk_shared(
        unit, stage, front, [](index_t, index_t, index_t, count_t) {}, steps);
}

/// One piece for all products of the front.
template <class T>
void Substitution<T>::take_memory(SharedFront& front) {
    count_t rows = 0;
    for (const auto& of_stage : front.products)
        for (const TravellingProducts<T>& products : of_stage) rows += products.batch.rows;
    front.memory = HostBlock(rows * x_.cols * static_cast<count_t>(sizeof(T)));
    T* next = static_cast<T*>(front.memory.data());
    for (auto& of_stage : front.products)
        for (TravellingProducts<T>& products : of_stage) {
            products.vector = DataHandle::vector(next, products.batch.rows * x_.cols);
            next += products.batch.rows * x_.cols;
        }
}

template <class T>
MessageTag Substitution<T>::tag_of_move(index_t front, const SharedFront& shared, count_t number) const {
    return {shared.block.solver, shared.block.call, front, static_cast<std::int64_t>(SolveMessageKind::front_segment),
            shared.block.number * shared.most_messages + number};
}

/// From one rank to another, where one of them is this.
template <class T>
void Substitution<T>::post_in_front(const SharedFront& front, const Unit& unit, DataRef data, index_t from, index_t to,
                                    count_t number) {
    const MessageTag tag = tag_of_move(unit.planned->front, front, number);
    if (from == share_->rank())
        send_always(job_, *share_->channel, data, to, tag, move_priority);
    else if (to == share_->rank())
        receive_always(job_, *share_->channel, data, from, tag);
}

/// Runs the products of tiles of this rank, or into segments that this rank owns.
template <class T>
void Substitution<T>::run_products(Unit& unit, SolveStage stage, const SharedFront& front,
                                   const TravellingProducts<T>* travelling, const ProductBatch& batch, count_t number) {
    const index_t here = share_->rank();
    if (travelling == nullptr) {
        std::vector<Term> terms;
        for (const index_t target : batch.targets) terms.push_back({target, batch.source});
        if (batch.rank == here)
            submit_tasks([&] { update(unit, terms, stage == SolveStage::backward, Execution::as_tasks); });
        return;
    }
    const bool mirrored = is_mirrored(stage == SolveStage::backward);
    TaskLabel label = label_of(unit, stage);
    label.row = batch.targets.front();
    label.column = batch.source;
    const auto segment = [&](index_t t) { return unit.tiles[at(t)].handle.get(); };
    std::vector<DataRef> handles;
    for (const index_t t : batch.targets)
        handles.push_back(batch.rank != here ? segment(t)
                          : mirrored         ? unit.tiled->handle(batch.source, t)
                                             : unit.tiled->handle(t, batch.source));
    if (batch.rank == here)
        submit_tasks([&] {
            multiply(*travelling, tile_operation(stage == SolveStage::backward), segment(batch.source), handles,
                     {unit.place, label}, job_);
        });
    post_in_front(front, unit, travelling->vector.get(), batch.rank, batch.home, number);
    if (batch.home == here) submit_tasks([&] { add(*travelling, handles, {unit.place, label}, job_); });
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
    auto next = front.products[number_of(stage)].begin();
    SharedSteps steps;
    steps.diagonal = [&](index_t k) { submit_tasks([&] { diagonal_tile(unit, k, stage, Execution::as_tasks); }); };
    steps.products = [&](const ProductBatch& batch, count_t number) {
        const bool concerns = batch.rank == share_->rank() || batch.home == share_->rank();
        const bool travels = batch.rank != batch.home && concerns;
        if (concerns) run_products(unit, stage, front, travels ? &*next++ : nullptr, batch, number);
    };
    walk_shared(
        unit, stage, front,
        [&](index_t segment, index_t from, index_t to, count_t number) {
            post_in_front(front, unit, unit.tiles[at(segment)].handle.get(), from, to, number);
        },
        steps);
    if (is_here(unit) && stage != SolveStage::backward)
        submit_tasks([&] { second_pass(unit, stage, Execution::as_tasks); });
}

#define FROND_INSTANTIATE(T)                                                     \
    template void Substitution<T>::make_shared_fronts(const SharedBlock& block); \
    template void Substitution<T>::run_shared(index_t, SolveStage);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
