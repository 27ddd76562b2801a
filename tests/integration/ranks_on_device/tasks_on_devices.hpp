// SPDX-License-Identifier: BSD-3-Clause
// How many tasks of solves with tiles have run on devices.
#pragma once

#include "some_ranks.hpp"
#include "tasks/solve/segments.hpp"
#include "tasks/solve/solve_diagonal_tile.hpp"

#include <array>

namespace frond::test {

/// solve_diagonal_tile, update_segments, multiply_segments, add_products.
using TaskCounts = std::array<count_t, 4>;

/// That this process has run on devices.
template <class T>
TaskCounts tasks_on_devices() {
    const starpu_codelet* const codelets[] = {&solve_diagonal_tile_codelet<T>(Place::device),
                                              &update_segments_codelet<T>(Place::device),
                                              &multiply_segments_codelet<T>(Place::device),
                                              &add_products_codelet<T>(Place::device)};
    TaskCounts counts{};
    for (std::size_t c = 0; c < counts.size(); ++c)
        for (const unsigned long of_worker : codelets[c]->per_worker_stats)
            counts[c] += static_cast<count_t>(of_worker);
    return counts;
}

/// The tasks of all ranks, by this call.
template <class T, class Call>
TaskCounts tasks_of(const SomeRanks& ranks, const Call& call) {
    const TaskCounts before = tasks_on_devices<T>();
    call();
    TaskCounts counts = tasks_on_devices<T>();
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] -= before[c];
    CHECK(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T, MPI_SUM,
                        *ranks.communicator()) == MPI_SUCCESS);
    return counts;
}

/// Without refinement, which would hide what the sweeps are wrong in.
inline SolveOptions unrefined(Operation op, SolvePlace place = SolvePlace::automatic) {
    SolveOptions options;
    options.operation = op;
    options.place = place;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    options.condition_hint = false;
    return options;
}

inline constexpr TaskCounts nothing{};

}  // namespace frond::test
