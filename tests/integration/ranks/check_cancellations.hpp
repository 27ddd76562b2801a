// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "dealt_system.hpp"

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <string>
#include <thread>

namespace frond::test {

/// call(cancel), which `victim` cancels after that time, or (before_call) before it begins. Returns the text of Cancelled,
/// which names that rank and is the same on all of them; empty where the call came to its end.
template <class Call>
std::string text_of_cancelled(const SomeRanks& ranks, int victim, int wait_ms, const Call& call,
                              bool before_call = false) {
    std::atomic<bool> cancel{before_call && ranks.rank() == victim};
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
        cancel = ranks.rank() == victim;
    });
    std::string text;
    try {
        call(cancel);
    } catch (const Cancelled& error) {
        text = error.what();
    }
    later.join();
    CHECK(is_same_everywhere(ranks, text));
    if (!text.empty()) CHECK(text.starts_with("rank " + std::to_string(victim) + ": "));
    return text;
}

/// Each rank cancels a factorization after each of these times: all ranks throw alike, or none does, some do, and the solver
/// is of use afterwards.
template <class T>
void check_cancellations(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks,
                         std::initializer_list<int> waits_ms) {
    int cancelled = 0;
    for (int victim = 0; victim < ranks.size(); ++victim)
        for (const int wait_ms : waits_ms) {
            CAPTURE(victim);
            CAPTURE(wait_ms);
            const std::string text = text_of_cancelled(ranks, victim, wait_ms, [&](const std::atomic<bool>& cancel) {
                FactorOptions options;
                options.cancel = &cancel;
                solver.factor(dealt(a, ranks).view(), options);
            });
            cancelled += text.empty() ? 0 : 1;
        }
    CHECK(cancelled > 0);
    solver.factor(dealt(a, ranks).view());
    check_solves(solver, a, ranks);
}

}  // namespace frond::test
