// SPDX-License-Identifier: BSD-3-Clause
// Memory and messages that one rank is refused: one exception on all ranks, nobody waits for ever, and the next call works.
#pragma once

#include "some_ranks.hpp"

#include <functional>
#include <string>

namespace frond::test {

/// What went wrong in one call on all ranks together.
struct Refused {
    std::string text;  // the same on all ranks; empty: the call went through
    bool any = false;  // the victim was refused something
};

/// body() where rank `victim` is refused its allocation number k, counted from 0, of those of more than always_there_bytes,
/// and all later ones.
Refused with_memory(const SomeRanks& ranks, int victim, long k, const std::function<void()>& body);
/// The same of its message number k alone.
Refused with_messages(const SomeRanks& ranks, int victim, long k, const std::function<void()>& body);

/// How many allocations of more than always_there_bytes rank `victim` makes in body().
long allocations_in(const SomeRanks& ranks, int victim, const std::function<void()>& body);

/// call(victim, k) for each rank and k = first(victim) (null: 0), next(first), ... until nothing is refused any more.
void for_every_k(const SomeRanks& ranks, const std::function<Refused(int victim, long k)>& call,
                 const std::function<long(long)>& next, const std::function<long(int victim)>& first = {});

inline long each(long k) { return k + 1; }
/// Every k at first, then ever wider steps.
inline long widening(long k) { return k + 1 + k / 16; }

}  // namespace frond::test
