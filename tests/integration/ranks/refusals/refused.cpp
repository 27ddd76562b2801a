// SPDX-License-Identifier: BSD-3-Clause
#include "refusals/refused.hpp"

#include "failing_allocations.hpp"
#include "frond/base/error.hpp"
#include "ranks/collectively.hpp"

#include <starpu.h>

#include <atomic>
#include <cerrno>
#include <limits>

namespace frond::test {
namespace {

constexpr long never = std::numeric_limits<long>::max() / 2;
constexpr std::size_t refused_bytes = detail::always_there_bytes + 1;

/// Messages of this rank before one that is refused.
std::atomic<long> messages_left{never};

Refused outcome_of(const SomeRanks& ranks, int victim, const std::atomic<long>& left,
                   const std::function<void()>& body) {
    Refused outcome;
    try {
        body();
    } catch (const OutOfMemory& error) {
        outcome.text = error.what();
    }
    int any = left < 0 ? 1 : 0;
    MPI_Bcast(&any, 1, MPI_INT, victim, *ranks.communicator());
    outcome.any = any != 0;
    return outcome;
}

}  // namespace

Refused with_memory(const SomeRanks& ranks, int victim, long k, const std::function<void()>& body) {
    const FailingAllocations armed(ranks.rank() == victim ? k : never, refused_bytes);
    return outcome_of(ranks, victim, allocations_left, body);
}

long allocations_in(const SomeRanks& ranks, int victim, const std::function<void()>& body) {
    const FailingAllocations counted(never, refused_bytes);
    body();
    long count = never - allocations_left;
    MPI_Bcast(&count, 1, MPI_LONG, victim, *ranks.communicator());
    return count;
}

Refused with_messages(const SomeRanks& ranks, int victim, long k, const std::function<void()>& body) {
    messages_left = ranks.rank() == victim ? k : never;
    const Refused outcome = outcome_of(ranks, victim, messages_left, body);
    messages_left = never;
    return outcome;
}

void for_every_k(const SomeRanks& ranks, const std::function<Refused(int victim, long k)>& call,
                 const std::function<long(long)>& next, const std::function<long(int)>& first) {
    for (int victim = 0; victim < ranks.size(); ++victim) {
        long refusals = 0;
        for (long k = first ? first(victim) : 0;; k = next(k)) {
            CAPTURE(victim);
            CAPTURE(k);
            const Refused outcome = call(victim, k);
            CHECK(is_same_everywhere(ranks, outcome.text));
            if (!outcome.text.empty()) CHECK(outcome.text.starts_with("rank " + std::to_string(victim) + ": "));
            if (!outcome.any) {
                CHECK(outcome.text.empty());
                break;
            }
            refusals += outcome.text.empty() ? 0 : 1;
        }
        CHECK(refusals > 0);
    }
}

}  // namespace frond::test

// The linker puts it in the place of StarPU's, which only messages call.
extern "C" {

int __real_starpu_data_acquire_on_node_cb_sequential_consistency(starpu_data_handle_t, int,
                                                                 enum starpu_data_access_mode, void (*)(void*), void*,
                                                                 int);

int __wrap_starpu_data_acquire_on_node_cb_sequential_consistency(starpu_data_handle_t data, int node,
                                                                 enum starpu_data_access_mode mode,
                                                                 void (*callback)(void*), void* argument, int order) {
    if (frond::test::messages_left.fetch_sub(1) == 0) return -ENOMEM;
    return __real_starpu_data_acquire_on_node_cb_sequential_consistency(data, node, mode, callback, argument, order);
}
}
