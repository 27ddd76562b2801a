// SPDX-License-Identifier: BSD-3-Clause
// What frond tune tries, from what it measured; no clock here.
#pragma once

#include "frond/codelets/rates.hpp"
#include "frond/tuning.hpp"
#include "topology.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// Rate of the tasks that update tiles of one order, of one worker while all work.
struct TileRate {
    index_t tile = 0;
    double flops_per_second = 0;
};

struct Measurements {
    MachineKind machine;
    Topology topology;
    index_t workers = 0;  // of cores, by default
    index_t workers_per_card = 0;  // by default; 0: no cards
    std::vector<TileRate> tile_rates;  // by ascending order
    double task_seconds = 0;  // of a worker, in addition to the body of a task
    double submit_seconds = 0;  // of the thread that submits, for a task
    MeasuredRates rates;  // of a session with cards
};

/// One choice: the tuning so far with something changed.
struct Candidate {
    std::string name;  // what was changed
    Tuning tuning;
};

/// Choices that are made one after the other.
struct Knob {
    std::string name;
    std::vector<Candidate> candidates;
};

/// Bounds of tiles: the first size with `low` of the best rate, and the first with `high` of it.
struct TileBounds {
    index_t smallest = 0, largest = 0;
};
TileBounds tile_bounds(const std::vector<TileRate>& rates, double low = 0.85, double high = 0.98);

/// The names of the knobs in the order in which they are tried. A knob whose candidates would all equal the defaults is
/// left out.
std::vector<std::string> knob_names(const Measurements& measured);
/// Candidates that differ from `base`, the best so far.
Knob knob(const std::string& name, const Measurements& measured, const Tuning& base);

}  // namespace frond::cli
