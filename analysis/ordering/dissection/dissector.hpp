// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/steps.hpp"
#include "leaf_order.hpp"
#include "part.hpp"
#include "refine.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

namespace frond::dissection {

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

}  // namespace frond::dissection
