// SPDX-License-Identifier: BSD-3-Clause
#include "simulated/simulated_team.hpp"

#include <bit>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranked/dealt/dealt_entries.hpp"
#include "ranked/tree/pivot_parcel.hpp"
#include "ranked/tree/sharing.hpp"

namespace frond::detail {
namespace {

/// What RankTree does between the last task and the report: an agreement on errors, pivots to rank 0, and of each rank what
/// second passes name.
constexpr index_t collectives_at_end = 2, collectives_of_rank = 2;

[[noreturn]] void refuse_solve() { throw RuntimeError("solves on several ranks are not simulated"); }

/// The bytes of the diagonals of a rank's units: see RemotePivots.
template <class T>
double pivot_bytes(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    double columns = 0;
    for (index_t f = 0; f < analysis.tree.front_count(); ++f)
        if (state.factors.ownership.share->owns(f)) columns += analysis.tree.fronts[at(f)].npiv;
    const double scalars = has_block_diagonal(state.kind()) ? 3 : 1;
    return columns * (scalars * sizeof(T) + (state.kind() == Factorization::llt ? 0 : sizeof(index_t)));
}

}  // namespace

template <class T>
struct SimulatedTeam<T>::Part {
    Part(index_t r, const FactorsState<T>& first) : rank(r), state(first.session, first.analysis) {}

    index_t rank;
    FactorsState<T> state;
    std::optional<UnitFactorization<T>> units;
    HostBlock entries;
    PivotReport pivots;
};

template <class T>
SimulatedTeam<T>::SimulatedTeam(SimulatedWorld& world, const SimulatedCluster& cluster, const Node& node)
    : world_(world), cluster_(cluster), node_(node), work_(at(cluster.ranks)) {
    for (index_t r = 0; r < cluster.ranks; ++r)
        ranks_.push_back(std::make_unique<SimulatedRank>(world, Rank{r}, cluster.ranks,
                                                         CoresAndCards{.cores = node.cores, .cards = node.cards}));
}

template <class T>
SimulatedTeam<T>::~SimulatedTeam() = default;

template <class T>
std::shared_ptr<const TreeShare> SimulatedTeam<T>::share_of(index_t r) const {
    auto share = std::make_shared<TreeShare>(TreeShare{mapping_});
    share->rule = rule_;
    share->channel = ranks_[at(r)]->channel();
    return share;
}

template <class T>
std::shared_ptr<const TreeShare> SimulatedTeam<T>::share(const FactorsState<T>& state) {
    const Analysis& analysis = *state.analysis;
    // This holds with cards, too: what is simulated is how ranks share a tree.
    if (cluster_.ranks == 1 || !pays_to_share(analysis, is_complex<T>, false)) return nullptr;
    rule_ = detail::rule_of<T>(analysis, state.report.pivoting == Pivoting::threshold);
    const std::vector<count_t> workers(at(cluster_.ranks), node_.cores), cards(at(cluster_.ranks), node_.cards);
    const RankMachine machine = machine_of(workers, cards);
    mapping_ = std::make_shared<const RankMapping>(map_tree(analysis, machine, rule_));
    const auto share = share_of(0);
    if (entries_of_rank(analysis, *share, 0) == static_cast<count_t>(analysis.entry_map.source.size())) return nullptr;
    return fits_messages(share->mapping, rule_) ? share : nullptr;
}

template <class T>
void SimulatedTeam<T>::begin_branches(index_t r, const Analysis& analysis, const PivotRule& rule) {
    if (!node_.has_branches || node_.cards == 0) return;
    const std::vector<std::vector<index_t>> roots = choose_branches(analysis, *mapping_, r, node_.cards);
    std::vector<BranchTask> tasks;
    for (index_t card = 0; card < node_.cards; ++card)
        tasks.push_back(plan_branch_task<T>(analysis, card, roots[at(card)], rule));
    ranks_[at(r)]->begin_branches(tasks, analysis.tree.front_count());
}

/// Each rank begins when its entries of A are there.
template <class T>
void SimulatedTeam<T>::begin_factorization(const FactorsState<T>& state, const T*, const Factoring& how,
                                           const std::function<void()>& make) {
    make();
    pass_collectives(2);
    begin_branches(0, *state.analysis, how.rule);
    parts_.clear();
    for (index_t r = 1; r < cluster_.ranks; ++r) {
        Part& part = *parts_.emplace_back(std::make_unique<Part>(r, state));
        ++working_;
        part.state.factors.ownership.share = share_of(r);
        const count_t bytes =
            entries_of_rank(*state.analysis, *part.state.factors.ownership.share, r) * static_cast<count_t>(sizeof(T));
        world_.traffic.pass(0, r, static_cast<double>(bytes), [this, &part, &state, how] {
            world_.time.start([this, &part, &state, how] { factor_part(part, state, how); },
                              ranks_[at(part.rank)].get());
        });
    }
}

/// Does what RankTree::serve_factorization does.
template <class T>
void SimulatedTeam<T>::factor_part(Part& part, const FactorsState<T>& first, const Factoring& how) {
    FactorsState<T>& state = part.state;
    try {
        state.report.pivoting = first.report.pivoting;
        state.system.largest_entry = how.largest_entry;
        part.entries = HostBlock(static_cast<count_t>(state.analysis->entry_map.source.size() * sizeof(T)));
        typename UnitFactorization<T>::Input input;
        input.entries = static_cast<T*>(part.entries.data());
        input.rule = how.rule;
        input.memory_budget_bytes = node_.memory_budget_bytes;
        input.runner = node_.cards > 0 ? Runner::cores_and_devices : Runner::cores;
        part.units.emplace(state, predict_peak<T>(*state.analysis, node_.cores, state.factors.ownership.share.get()),
                           input);
        begin_branches(part.rank, *state.analysis, how.rule);
        part.units->submit();
        part.units->finish();
        part.units->job().wait();
        part.units->collect(state.report, part.pivots);
        note(part.rank, state);
        world_.traffic.pass(part.rank, 0, pivot_bytes(state), [this] {
            --working_;
            world_.time.wake(this);
        });
    } catch (...) {  // the others may wait for its messages
        world_.time.fail(std::current_exception());
    }
}

template <class T>
void SimulatedTeam<T>::end_factorization(FactorsState<T>& state, std::exception_ptr error, PivotReport& pivots) {
    if (error != nullptr) std::rethrow_exception(error);
    note(0, state);
    while (working_ > 0) world_.time.wait(this);
    pass_collectives(collectives_at_end + collectives_of_rank * cluster_.ranks);
    RemotePivots<T> remote;
    for (const auto& part : parts_) {
        const SimulatedRankWork& work = work_[at(part->rank)];
        const FactorsState<T>& of = part->state;
        FactoredPart{part->pivots,
                     work.flops,
                     work.tasks,
                     work.factor_bytes,
                     work.peak_bytes,
                     work.peak_bytes_predicted,
                     of.report.work.front_seconds}
            .add_to(state.report, pivots);
        remote.factor_bytes += work.factor_bytes;
    }
    state.factors.ownership.remote_pivots = std::move(remote);
}

/// A reduction or a broadcast goes along a binary tree.
template <class T>
void SimulatedTeam<T>::pass_collectives(index_t times) const {
    const int levels = std::bit_width(static_cast<unsigned>(cluster_.ranks - 1));
    world_.time.pause(times * 2 * levels * cluster_.network.latency_seconds);
}

template <class T>
std::int64_t SimulatedTeam<T>::begin_substitution(const FactorsState<T>&, SharedSolve&, DenseView<const T>) {
    refuse_solve();
}
template <class T>
AgreedPlace SimulatedTeam<T>::agree(std::exception_ptr, BranchPlace) {
    refuse_solve();
}
template <class T>
void SimulatedTeam<T>::end_substitution(const FactorsState<T>&, const SharedSolve&, std::exception_ptr, DenseView<T>) {
    refuse_solve();
}

#define FROND_INSTANTIATE(T) template class SimulatedTeam<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
