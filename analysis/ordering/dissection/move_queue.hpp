// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace frond::dissection
