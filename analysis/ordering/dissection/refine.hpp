// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dissection_graph.hpp"
#include "frond/base/types.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace frond::dissection {

/// Vertices by gain, the largest first: a binary heap that knows where each vertex stands.
class MoveQueue {
public:
    void reserve_vertices(index_t n) {
        if (place_.size() < static_cast<std::size_t>(n)) place_.resize(static_cast<std::size_t>(n), -1);
    }

    bool empty() const { return heap_.empty(); }

    index_t top() const { return heap_.front().vertex; }

    bool holds(index_t v) const { return place_[v] >= 0; }

    void push(index_t v, index_t gain) {
        heap_.push_back({gain, v});
        place_[v] = static_cast<index_t>(heap_.size()) - 1;
        rise(place_[v]);
    }

    void pop() {
        place_[heap_.front().vertex] = -1;
        const Item last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
        heap_.front() = last;
        sink(0);
    }

    void raise(index_t v, index_t gain) {
        heap_[place_[v]].gain += gain;
        rise(place_[v]);
    }

    void clear() {
        for (const Item& item : heap_) place_[item.vertex] = -1;
        heap_.clear();
    }

private:
    struct Item {
        index_t gain;
        index_t vertex;
    };

    void rise(index_t k) {
        const Item item = heap_[k];
        while (k > 0) {
            const index_t parent = (k - 1) / 2;
            if (heap_[parent].gain >= item.gain) break;
            set(k, heap_[parent]);
            k = parent;
        }
        set(k, item);
    }

    void sink(index_t k) {
        const Item item = heap_[k];
        const auto size = static_cast<index_t>(heap_.size());
        for (;;) {
            index_t child = 2 * k + 1;
            if (child >= size) break;
            if (child + 1 < size && heap_[child + 1].gain > heap_[child].gain) ++child;
            if (heap_[child].gain <= item.gain) break;
            set(k, heap_[child]);
            k = child;
        }
        set(k, item);
    }

    void set(index_t k, const Item& item) {
        heap_[k] = item;
        place_[item.vertex] = k;
    }

    std::vector<Item> heap_;
    std::vector<index_t> place_;
};

/// What a partition may be like, and how long to look for a better one.
struct RefinementLimits {
    count_t heaviest_side = 0;
    int passes = 10;  // of each side
    index_t patience = 1000;  // moves without success, at most
};

/// Moves vertices out of the separator to one side, each pulling its neighbours of the other side
/// in, and keeps the cheapest partition seen; sides take turns (vertex form of Fiduccia &
/// Mattheyses 1982; Ashcraft & Liu 1998). Moving one way, gains only grow. Scratch is kept from
/// call to call.
class SeparatorRefiner {
public:
    void refine(const Graph& graph, Partition& partition, const RefinementLimits& limits);

private:
    struct Move {
        index_t vertex;
        index_t pulled_end;  // pulled_[previous end .. this) came into the separator
    };

    bool pass(const Graph& graph, Partition& partition, Side to, const RefinementLimits& limits);
    void move(const Graph& graph, Partition& partition, index_t v, Side to);
    void pull(const Graph& graph, Partition& partition, index_t u, Side to);
    void undo_to(const Graph& graph, Partition& partition, Side to, std::size_t kept);
    void list_separator(Partition& partition);

    MoveQueue queue_;
    std::vector<Move> moves_;
    std::vector<index_t> pulled_;
};

/// How much work goes into a separator; measured on meshes in two and three dimensions.
struct SeparatorEffort {
    index_t coarsest_size = 80;  // vertices of the graph that is cut first
    int first_cuts = 4;  // tries there
    index_t restart_size = 500;  // graphs up to this size are descended from `restarts` times
    int restarts = 1;
    double heaviest_side_share = 0.6;
};

/// The separators of large parts carry most of the work of the factorization: more effort there.
inline SeparatorEffort separator_effort(index_t size) {
    SeparatorEffort effort;
    if (size >= 10000) {
        effort.first_cuts = 6;
        effort.restarts = 6;
    }
    return effort;
}

/// A light separator of balanced halves, by multilevel: coarsen, cut the coarsest graph, refine on
/// the way back (Karypis & Kumar 1998; Hendrickson & Rothberg 1998).
Partition find_separator(const Graph& graph, const SeparatorEffort& effort, Random& random, SeparatorRefiner& refiner);

}  // namespace frond::dissection
