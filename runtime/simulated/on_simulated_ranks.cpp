// SPDX-License-Identifier: BSD-3-Clause
#include "submit/on_simulated_ranks.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/time_models.hpp"
#include "simulated/simulated_team.hpp"
#include "submit/factorization.hpp"

namespace frond::detail {
namespace {

/// Rank 0 leads as long as this lives.
template <class T>
class Conducting {
public:
    explicit Conducting(OtherRanks<T>& others) { OtherRanks<T>::of_this_thread() = &others; }
    Conducting(const Conducting&) = delete;
    Conducting& operator=(const Conducting&) = delete;
    ~Conducting() { OtherRanks<T>::of_this_thread() = nullptr; }
};

/// StarPU moved none of them.
void add_moved_bytes(const SimulatedClusterWork& work, FactorReport::Place& place) {
    for (const SimulatedRankWork& rank : work.ranks) {
        place.bytes_to_devices += rank.bytes_to_cards;
        place.bytes_from_devices += rank.bytes_from_cards;
    }
}

}  // namespace

template <class T>
void run_on_simulated_ranks(FactorsState<T>& state, const FactorOptions& options) {
    const SimulatedCluster& cluster = simulated_cluster();
    // Data that the session kept of an earlier simulation are in the order of that one.
    state.session->forget_kept();
    SimulatedWorld world(cluster);
    SimulatedTeam<T> team(world, cluster,
                          {state.session->cpu_workers(), state.session->has_devices() ? state.session->gpus() : 0,
                           options.memory_budget_bytes, options.place != FactorPlace::tasks});
    const Conducting<T> conducting(team);
    world.time.start([&] { run_factorization(state, options); }, &team.rank(0));
    world.time.run();
    simulated_cluster_work() = team.work(state, world.time.now());
    add_moved_bytes(simulated_cluster_work(), state.report.place);
    pass_simulated_seconds(world.time.now());
}

#define FROND_INSTANTIATE(T) template void run_on_simulated_ranks<T>(FactorsState<T>&, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
