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
/// never write to the same place, and draws from a generator seeded by that range, so the result
/// does not depend on them.
class Dissector {
public:
    Dissector(const Pattern& whole, std::vector<index_t>& order, const DissectionControl& control)
        : whole_(whole), order_(order), control_(control) {}

    /// Returns when everything is ordered; throws what a thread threw, Cancelled when stopped.
    void run(Part all, index_t threads);

private:
    /// One thread's scratch.
    struct Worker {
        explicit Worker(index_t n) : leaf(n), local(static_cast<std::size_t>(n)) {}

        SeparatorRefiner refiner;
        LeafOrder leaf;
        std::vector<index_t> local;
    };

    void help() noexcept;
    void work() noexcept;
    bool take(Part& part);
    void finish_one();
    void share(Part part);
    void dissect(Part part, Worker& worker);
    void order_undissected(const Part& part);

    const Pattern& whole_;
    std::vector<index_t>& order_;
    const DissectionControl& control_;
    std::mutex mutex_; // of all below
    std::condition_variable changed_;
    std::vector<Part> waiting_; // a heap, the largest first
    index_t busy_ = 0;
    std::exception_ptr error_;
};

} // namespace frond::dissection
