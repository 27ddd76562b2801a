// SPDX-License-Identifier: BSD-3-Clause
// What the heap holds without using it counts as free, and goes back to the system.
#include "child_process.hpp"
#include "frond/base/host_block.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/sanitizers.hpp"
#include "frond/frond.h"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "memory/free_memory.hpp"
#include "memory/memory_limit.hpp"
#include "process_memory.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

constexpr count_t mib = count_t{1} << 20;

/// Pages are only the system's gift when they are touched.
void* touched_block(HostHeap& heap, count_t bytes, count_t touched_bytes) {
    void* const block = heap.allocate(bytes);
    std::memset(block, 1, static_cast<std::size_t>(touched_bytes));
    return block;
}

}  // namespace

TEST_CASE("pages of released blocks are reusable, those never touched are not") {
    HostHeap heap;
    CHECK(heap.reusable_bytes() == 0);
    void* const a = touched_block(heap, 8 * mib, 8 * mib);
    void* const b = touched_block(heap, 8 * mib, 2 * mib);
    void* const c = touched_block(heap, mib, mib);
    CHECK(heap.reusable_bytes() == 0);
    heap.release(b, 8 * mib);
    CHECK(heap.reusable_bytes() == 2 * mib);
    heap.release(a, 8 * mib);  // joined: a part never touched lies behind
    CHECK(heap.reusable_bytes() == 10 * mib);
    heap.give_back();
    CHECK(heap.reusable_bytes() == 0);
    CHECK(heap.used_bytes() == mib);
    CHECK(*static_cast<unsigned char*>(c) == 1);
    heap.release(c, mib);
    CHECK(heap.reusable_bytes() == mib);
    heap.give_back();
    CHECK(heap.mapped_bytes() == 0);
}

TEST_CASE("the last use of the heap that ends gives back what is free") {
    HostHeap heap;
    {
        const HeapUse outer(heap);
        {
            const HeapUse inner(heap);
            heap.release(touched_block(heap, 16 * mib, 16 * mib), 16 * mib);
        }
        CHECK(heap.reusable_bytes() == 16 * mib);
    }
    CHECK(heap.mapped_bytes() == 0);
}

TEST_CASE("free memory: what the system would give, and what the heap holds without using it") {
    SystemFolder s;
    s.write("/proc/meminfo", "MemTotal: 64000000 kB\nMemFree: 100 kB\nMemAvailable: 2000000 kB\n");
    shared_session().give_back_memory();
    CHECK(detail::free_memory_bytes(s.path()) == 2'048'000'000);
    {
        const HostBlock block(64 * mib);
        std::memset(block.data(), 1, 64 * mib);
        CHECK(detail::free_memory_bytes(s.path()) == 2'048'000'000);
    }
    CHECK(detail::free_memory_bytes(s.path()) == 2'048'000'000 + 64 * mib);
    s.write("/proc/self/cgroup", "0::/job\n");
    s.write("/proc/self/mountinfo", "31 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    s.write("/sys/fs/cgroup/job/memory.max", "1000000\n").write("/sys/fs/cgroup/job/memory.current", "400000\n");
    CHECK(detail::free_memory_bytes(s.path()) == 600'000 + 64 * mib);
    CHECK(shared_session().give_back_memory() >= 64 * mib);
    CHECK(detail::free_memory_bytes(s.path()) == 600'000);
}

TEST_CASE(
    "a factorization leaves its pages to the next one of its Solver, and the last factors to "
    "the system") {
    const auto a = poisson3d<double>(24).matrix;
    {
        Solver<double> solver(shared_session());
        solver.factor(a);
        solver.factor(a);  // contribution blocks and the former factors
        CHECK(host_heap().reusable_bytes() > 0);
        {
            Solver<double> other(shared_session());
            other.factor(a);
        }
        CHECK(host_heap().reusable_bytes() > 4 * mib);  // there are factors yet
        CHECK(shared_session().give_back_memory() > 4 * mib);
        CHECK(host_heap().reusable_bytes() == 0);
        CHECK(solved_rightly(solver, a));
    }
    CHECK(host_heap().used_bytes() == 0);
    CHECK(host_heap().reusable_bytes() <= 4 * mib);
}

TEST_CASE("in a child: a machine that has room for one factorization and half of another" * doctest::skip()) {
    const auto a = poisson3d<double>(30).matrix;
    const auto factor = [&a](count_t budget) {
        Solver<double> solver(shared_session());
        FactorOptions options;
        options.memory_budget_bytes = budget;
        return solver.factor(a, options).memory.peak_bytes;
    };
    const count_t peak = factor(0);
    Solver<double> lasting(shared_session());  // while it has factors, pages stay in the heap
    lasting.factor(poisson2d<double>(9).matrix);
    shared_session().give_back_memory();
    const count_t process_before = process_bytes();
    SystemFolder s;
    for (int round = 0; round < 3; ++round) {
        const count_t of_system = peak + peak / 2 - (process_bytes() - process_before);
        s.write("/proc/meminfo", "MemAvailable: " + std::to_string(of_system / 1024) + " kB\n");
        const count_t budget = detail::free_memory_bytes(s.path()) / 10 * 9;  // as without one
        CAPTURE(round);
        CHECK(budget > peak);
        CHECK_NOTHROW(factor(budget));
        if (round > 0) CHECK(of_system / 10 * 9 < peak);  // the heap has what is missing
    }
}

TEST_CASE("a second factorization has as much memory as the first, above half of what is free, too" *
          doctest::skip(FROND_ADDRESS_SANITIZER || FROND_THREAD_SANITIZER)) {
    CHECK(run_case_in_child("in a child: a machine that has room for one factorization and half of another", {}, 120) ==
          0);
}

TEST_CASE("C: memory goes back by a call") {
    frond_session* session = nullptr;
    REQUIRE(frond_session_create("", &session) == FROND_OK);
    int64_t bytes = -1;
    {
        const HostBlock kept(mib);  // or the heap's segment would go with the block
        {
            const HostBlock block(8 * mib);
            std::memset(block.data(), 1, 8 * mib);
        }
        CHECK(frond_session_give_back_memory(session, &bytes) == FROND_OK);
    }
    CHECK(bytes >= 8 * mib);
    CHECK(frond_session_give_back_memory(session, nullptr) == FROND_OK);
    CHECK(frond_session_give_back_memory(nullptr, &bytes) == FROND_INVALID_ARGUMENT);
    frond_session_destroy(session);
}
