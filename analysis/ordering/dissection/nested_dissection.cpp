// SPDX-License-Identifier: BSD-3-Clause
// Nested dissection (George 1973; Lipton, Rose & Tarjan 1979) by multilevel vertex separators.
#include "../subgraph.hpp"
#include "dissection_graph.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "refine.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace frond::dissection {
namespace {

/// Dissects parts on threads until all are leaves. A part owns its range of the order, so threads
/// never write to the same memory, and draws from a generator seeded by that range, so the result
/// does not depend on them.
class Dissector {
public:
    Dissector(const Pattern& whole, std::vector<index_t>& order, const DissectionAdvice& advice)
        : whole_(whole), order_(order), advice_(advice) {}

    /// Returns when everything is ordered, or with false when it was advised against going on after
    /// two depths; throws what a thread threw.
    bool run(Part all, index_t threads);

private:
    /// One thread's scratch.
    struct Worker {
        SeparatorRefiner refiner;
        LeafOrder leaf;
        std::vector<index_t> local;
    };

    void work_on_threads(index_t threads);
    void work() noexcept;
    bool take(Part& part);
    void finish_one();
    void share(Part part);
    bool is_held_back(Part& part);
    void note(const Part& part, const Partition& partition);
    void dissect(Part part, Worker& worker);
    void order_undissected(const Part& part);

    const Pattern& whole_;
    std::vector<index_t>& order_;
    const DissectionAdvice& advice_;
    std::mutex mutex_;  // of all below
    std::condition_variable changed_;
    std::vector<Part> waiting_;  // a heap, the largest first
    index_t busy_ = 0;
    std::exception_ptr error_;
    FirstSeparators separators_;
    std::vector<Part> held_back_;  // until the advice
    bool advised_ = false;
};

/// Below this size minimum degree orders as well as further separators would.
constexpr index_t leaf_size = 200;
/// Smaller parts are not worth handing to another thread.
constexpr index_t smallest_shared_part = 2000;

bool smaller(const Part& a, const Part& b) { return a.size() < b.size(); }

/// Neither an empty side nor a separator heavier than what it separates: such a graph (nearly
/// complete, or random) has no separators to find.
bool is_useful(const Partition& partition) {
    return partition.weight[left] > 0 && partition.weight[right] > 0 &&
           partition.weight[separator] <= partition.weight[left] + partition.weight[right];
}

bool Dissector::run(Part all, index_t threads) {
    separators_.vertices = all.size();
    separators_.entries = static_cast<count_t>(all.graph.row.size());
    separators_.weight = all.graph.total_weight;
    threads = std::clamp<index_t>(all.size() / smallest_shared_part, 1, threads);
    advised_ = !advice_;
    waiting_.push_back(std::move(all));
    work_on_threads(threads);
    if (held_back_.empty()) return true;
    if (!advice_(separators_)) return false;
    advised_ = true;
    waiting_ = std::move(held_back_);
    std::make_heap(waiting_.begin(), waiting_.end(), smaller);
    work_on_threads(threads);
    return true;
}

void Dissector::work_on_threads(index_t threads) {
    {
        std::vector<std::jthread> helpers;
        try {
            helpers.reserve(static_cast<std::size_t>(threads));
            for (index_t t = 1; t < threads; ++t) helpers.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            // No more threads to be had: those that run, and this one, do the work.
        }
        work();
    }
    if (error_) std::rethrow_exception(error_);
}

void Dissector::work() noexcept {
    try {
        Worker worker;
        Part part;
        while (take(part)) {
            dissect(std::move(part), worker);
            finish_one();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        changed_.notify_all();
    }
}

/// The largest waiting part; false when there will be none.
bool Dissector::take(Part& part) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || busy_ == 0 || error_; });
    if (waiting_.empty() || error_) return false;
    std::pop_heap(waiting_.begin(), waiting_.end(), smaller);
    part = std::move(waiting_.back());
    waiting_.pop_back();
    ++busy_;
    return true;
}

void Dissector::finish_one() {
    const std::lock_guard lock(mutex_);
    --busy_;
    if (busy_ == 0) changed_.notify_all();
}

void Dissector::share(Part part) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(part));
    std::push_heap(waiting_.begin(), waiting_.end(), smaller);
    changed_.notify_one();
}

/// Parts of the third depth wait for the advice.
bool Dissector::is_held_back(Part& part) {
    if (advised_ || part.depth < 2) return false;
    const std::lock_guard lock(mutex_);
    held_back_.push_back(std::move(part));
    return true;
}

void Dissector::note(const Part& part, const Partition& partition) {
    if (advised_) return;
    const std::lock_guard lock(mutex_);
    if (part.depth == 0) {
        separators_.first = partition.weight[separator];
        separators_.side = {partition.weight[left], partition.weight[right]};
    } else {
        separators_.second[static_cast<std::size_t>(part.number)] = partition.weight[separator];
    }
}

void Dissector::dissect(Part part, Worker& worker) {
    while (part.size() > leaf_size) {
        if (is_held_back(part)) return;
        const auto seed = static_cast<std::uint64_t>(part.first) << 32 | static_cast<std::uint32_t>(part.size());
        Random random(seed);
        const Partition partition = find_separator(part.graph, separator_effort(part.size()), random, worker.refiner);
        note(part, partition);
        if (!is_useful(partition)) return order_undissected(part);
        SplitPart sides = split(part, partition, order_, worker.local);
        if (sides.left.size() < sides.right.size()) std::swap(sides.left, sides.right);
        if (sides.right.size() >= smallest_shared_part)
            share(std::move(sides.right));
        else
            dissect(std::move(sides.right), worker);
        part = std::move(sides.left);
    }
    worker.leaf.order(whole_, order_.data() + part.first, part.size());
}

void Dissector::order_undissected(const Part& part) {
    Pattern graph;
    graph.rows = graph.cols = part.size();
    graph.begin = part.graph.begin;
    graph.row = part.graph.row;
    const std::vector<index_t> before(order_.begin() + part.first, order_.begin() + part.first + part.size());
    index_t place = part.first;
    for (const index_t v : approximate_minimum_degree(graph, part.graph.weight)) order_[place++] = before[v];
}

}  // namespace

}  // namespace frond::dissection

namespace frond {
namespace {

std::vector<index_t> order_connected(const Pattern& graph, const std::vector<index_t>& weight, index_t threads,
                                     const DissectionAdvice& advice) {
    dissection::Part all;
    all.graph.begin = graph.begin;
    all.graph.row = graph.row;
    all.graph.weight = weight;
    all.graph.total_weight = std::accumulate(weight.begin(), weight.end(), count_t{0});
    std::vector<index_t> order = natural_order(graph.cols);
    if (dissection::Dissector(graph, order, advice).run(std::move(all), threads)) return order;
    return approximate_minimum_degree(graph, weight);
}

}  // namespace

std::vector<index_t> nested_dissection(const Pattern& graph, const std::vector<index_t>& weight, index_t threads,
                                       const DissectionAdvice& advice) {
    FROND_EXPECTS(weight.size() == static_cast<std::size_t>(graph.cols), "there are " + std::to_string(weight.size()) +
                                                                             " weights for " +
                                                                             std::to_string(graph.cols) + " vertices");
    return order_by_component(graph, weight, [&](const Pattern& part, const auto& part_weight) {
        return order_connected(part, part_weight, threads, advice);
    });
}

}  // namespace frond
