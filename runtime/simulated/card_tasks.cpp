// SPDX-License-Identifier: BSD-3-Clause
// What a simulated rank does with its cards: which task runs where, with copies before it, and branches.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulated_cluster.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "frond/codelets/task_model.hpp"
#include "simulated/simulated_task.hpp"

namespace frond::detail {

namespace {

/// Whether buffer i is in the host's memory wherever the task runs.
bool is_on_host(const starpu_codelet& codelet, std::size_t i) {
    if (codelet.specific_nodes == 0) return false;
    if (codelet.dyn_nodes != nullptr) return codelet.dyn_nodes[i] == STARPU_SPECIFIC_NODE_CPU;
    return i < STARPU_NMAXBUFS && codelet.nodes[i] == STARPU_SPECIFIC_NODE_CPU;
}

}  // namespace

void SimulatedRank::describe_places(Task& task, std::span<const Access> accesses) const {
    task.where = where_of(task.job, task.codelet, task.described());
    if (task.where == 0) task.where = task.codelet.where;
    double bytes = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const auto size = static_cast<count_t>(starpu_data_get_size(accesses[i].handle));
        task.uses.push_back(
            {&data_of(world_.graph, accesses[i].handle), size, accesses[i].mode, is_on_host(task.codelet, i)});
        bytes += static_cast<double>(size);
    }
    if ((task.where & STARPU_CUDA) != 0)
        task.card_seconds = simulated_card_seconds(task.codelet, task.described(), bytes);
}

/// What both may run goes to who is free first. A card that alone may run it is chosen as StarPU's dmda chooses.
void SimulatedRank::make_ready(const std::shared_ptr<Task>& task, int priority) {
    const bool on_cores = (task->where & STARPU_CPU) != 0, on_cards = (task->where & STARPU_CUDA) != 0;
    if (!on_cards) return workers_.add_for_cores(priority, [this, task](index_t) { begin_on_core(task); });
    if (on_cores)
        return workers_.add_for_any(priority, [this, task](index_t where) {
            where == SimulatedWorkers::core ? begin_on_core(task) : begin_on_card(task, where, 0);
        });
    const double seconds = task->card_seconds;
    workers_.add_for_card(card_for(*task), priority, seconds,
                          [this, task, seconds](index_t card) { begin_on_card(task, card, seconds); });
}

/// The one that is named, or that would be the first to have done it, with what it has to do before and to copy.
index_t SimulatedRank::card_for(const Task& task) const {
    if (const int worker = task.described().worker; worker >= 0)
        return static_cast<index_t>(starpu_worker_get_devid(worker));
    index_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (index_t card = 0; card < workers_.cards() && workers_.cards() > 1; ++card) {
        double seconds = workers_.seconds_ahead(card);
        for (const Task::Use& use : task.uses)
            if ((use.mode & STARPU_R) != 0 && !use.on_host && use.data->copies != nullptr)
                seconds += links_.seconds_to(*use.data->copies, CardLinks::place_of(card));
        if (seconds < least) least = seconds, best = card;
    }
    return best;
}

/// When all that the task reads is there. What it writes is valid nowhere else. The longest copy is in the chain of tasks.
double SimulatedRank::bring_data(const Task& task, index_t place) {
    double there = world_.time.now(), longest = 0;
    for (const Task::Use& use : task.uses) {
        const index_t where = use.on_host ? CardLinks::host : place;
        std::unique_ptr<CardCopies>& copies = use.data->copies;
        if (copies == nullptr) {
            if (where == CardLinks::host) continue;
            copies = std::make_unique<CardCopies>(use.bytes, links_);
            copies->add(CardLinks::host);
        }
        if ((use.mode & STARPU_R) != 0) {
            longest = std::max(longest, links_.seconds_to(*copies, where));
            there = std::max(there, links_.bring(*copies, where, world_.time.now()));
        }
        if ((use.mode & STARPU_W) != 0) copies->write(where);
    }
    task.step->path_seconds += longest;
    return there;
}

void SimulatedRank::begin_on_card(const std::shared_ptr<Task>& task, index_t card, double ahead) {
    const double there = bring_data(*task, CardLinks::place_of(card));
    expect_room(card);
    world_.time.at(there, [this, task, card, ahead] {
        const double seconds = task->job.stopped() ? 0 : task->card_seconds;
        world_.time.at(workers_.run_kernel(card, seconds), [this, task, card, ahead, seconds] {
            end(*task, seconds);
            workers_.end_on_card(card, ahead);
        });
    });
}

void SimulatedRank::expect_room(index_t card) const {
    const count_t needed = links_.memory()->peak_bytes[at(card)],
                  room = simulated_hardware().card_memory_bytes * simulated_cluster().memories;
    if (needed <= room) return;
    world_.time.fail(std::make_exception_ptr(OutOfMemory(
        "card " + std::to_string(card) + " of rank " + std::to_string(rank_) + " would hold " + std::to_string(needed) +
            " bytes and has " + std::to_string(room) +
            "; what leaves a card for lack of memory is not simulated on ranks: give more ranks, or --gpus 0",
        needed)));
}

double SimulatedRank::bring_to_host(OrderedData& data, Step& step, bool written) {
    const double now = world_.time.now();
    if (data.copies == nullptr) return now;
    if (written) {
        data.copies->write(CardLinks::host);
        return now;
    }
    step.path_seconds += links_.seconds_to(*data.copies, CardLinks::host);
    return links_.bring(*data.copies, CardLinks::host, now);
}

/// Ends are acts of their own, since each may let the next one begin.
void SimulatedRank::wait_for_branch(const std::shared_ptr<Task>& task, const Gate& gate) {
    world_.graph.use(task->step, *gate.block, false);
    task->step->begin = [this, task] { world_.time.at(world_.time.now(), [this, task] { end(*task, 0); }); };
}

void SimulatedRank::begin_branches(const std::vector<BranchTask>& tasks, index_t fronts) {
    gates_.clear();
    gate_of_front_.assign(at(fronts), -1);
    for (const BranchTask& task : tasks) {
        std::vector<std::shared_ptr<Step>> blocks;
        for (const BranchTask::Root& root : task.roots) {
            const auto step = blocks.emplace_back(std::make_shared<Step>());
            std::fill(gate_of_front_.begin() + root.first_front, gate_of_front_.begin() + root.front + 1,
                      static_cast<index_t>(gates_.size()));
            gates_.push_back({&world_.graph.add_data(), false});
            world_.graph.use(step, *gates_.back().block, true);
            step->begin = [] {};
        }
        if (!blocks.empty()) run_branches(task, blocks);
    }
}

/// Values of A to the card, one piece there, and the blocks of its roots to the host.
void SimulatedRank::run_branches(const BranchTask& task, const std::vector<std::shared_ptr<Step>>& blocks) {
    links_.memory()->take(task.card, task.most_bytes);
    expect_room(task.card);
    world_.time.at(links_.to_card(task.card, task.value_bytes, world_.time.now()), [this, task, blocks] {
        world_.time.at(workers_.run_kernel(task.card, task.seconds), [this, task, blocks] {
            links_.memory()->give_back(task.card, task.most_bytes - task.lasting_bytes);
            for (std::size_t b = 0; b < blocks.size(); ++b) {
                const double there = links_.to_host(task.card, task.roots[b].block_bytes, world_.time.now());
                world_.time.at(there,
                               [this, step = blocks[b], seconds = task.seconds] { world_.graph.end(*step, seconds); });
            }
        });
    });
}

}  // namespace frond::detail
