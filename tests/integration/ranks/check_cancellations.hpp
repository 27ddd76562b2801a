// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dealt_system.hpp"

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <string>
#include <thread>

namespace frond::test {

/// Each rank cancels a factorization of its own after each of these times: all ranks throw alike, or none does, and the
/// solver is of use afterwards.
template <class T>
void check_cancellations(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks,
                         std::initializer_list<int> waits_ms) {
    for (int victim = 0; victim < ranks.size(); ++victim)
        for (const int wait_ms : waits_ms) {
            CAPTURE(victim);
            CAPTURE(wait_ms);
            std::atomic<bool> cancel{false};
            FactorOptions options;
            options.cancel = &cancel;
            std::thread later([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
                cancel = ranks.rank() == victim;
            });
            std::string text;
            try {
                solver.factor(dealt(a, ranks).view(), options);
            } catch (const Cancelled& error) {
                text = error.what();
            }
            later.join();
            CHECK(is_same_everywhere(ranks, text));
        }
    solver.factor(dealt(a, ranks).view());
    check_solves(solver, a, ranks);
}

}  // namespace frond::test
