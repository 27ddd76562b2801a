// SPDX-License-Identifier: BSD-3-Clause
// Factors that every rank makes by itself, alike, and of which it then keeps the units that it is dealt. So the solution
// by one process is known to the last bit.
#pragma once

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "hard_systems.hpp"
#include "ranks.hpp"
#include "substitution/tree/shared_substitution.hpp"

#include <cstring>
#include <functional>
#include <limits>

namespace frond::test {

/// The rank of each unit, by its number.
using Owners = std::function<index_t(index_t unit)>;

inline Owners in_turn() {
    return [](index_t unit) { return unit % world_size(); };
}
/// The same on all ranks.
inline Owners at_random(std::uint64_t seed) {
    const auto random = std::make_shared<Random>(seed);
    return [random](index_t) { return random->below(world_size()); };
}

inline RankMapping dealt(const Analysis& analysis, const Owners& owners) {
    const auto fronts = static_cast<std::size_t>(analysis.tree.front_count());
    RankMapping mapping;
    mapping.ranks = world_size();
    mapping.group.resize(fronts);
    mapping.grid.resize(fronts);
    mapping.tiles.resize(fronts);
    mapping.in_turn.resize(fronts + 1);
    index_t next = 0, f = 0;
    for (const detail::PlannedUnit& unit : detail::plan_units(analysis)) {
        const index_t rank = owners(next++);
        for (; f <= unit.front; ++f) {
            mapping.group[static_cast<std::size_t>(f)] = {rank, 1};
            mapping.grid[static_cast<std::size_t>(f)].rank = {rank};
        }
    }
    return mapping;
}

template <class T>
std::vector<T> random_numbers(index_t n, index_t rhs) {
    Random random(31);
    std::vector<T> x(static_cast<std::size_t>(n) * static_cast<std::size_t>(rhs));
    for (T& value : x) value = random.value<T>();
    return x;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A solve of a case: what, and of how many right-hand sides.
struct SolveCase {
    SolvePart part = SolvePart::all;
    Operation operation = Operation::none;
    index_t rhs = 1;
    index_t block_columns = 64;
    count_t most_message_bytes = detail::most_static_bytes;
    std::int64_t call = 0;
    count_t group_scalars = 0;
};

template <class T>
class SharedFactors {
public:
    /// The session has one worker.
    SharedFactors(const SparseMatrix<T>& a, std::shared_ptr<const Analysis> analysis, const Scaling& scaling) {
        const Session session(SessionOptions{.cpu_workers = 1, .gpus = 0});
        factors_ = factorize(session, std::move(analysis), a, {}, &scaling);
        all_positions_ = detail::own_second_pass_positions(state().factors);
        state().factors.ownership.second_pass_positions = all_positions_;
    }

    detail::FactorsState<T>& state() { return *detail::state_of(factors_); }
    const FactorReport& report() const { return factors_.report(); }
    index_t order() { return state().analysis->order; }

    /// In this process alone.
    std::vector<T> expected(const SolveCase& solve) {
        take_back();
        std::vector<T> x = random_numbers<T>(order(), solve.rhs);
        const detail::SubstitutionPlan plan{detail::SubstitutionWay::units, detail::plan_units(*state().analysis), {}};
        WorkspacePool workspaces(detail::Substitution<T>::workspace_bytes(*state().analysis, solve.rhs));
        Job job(detail::starpu_engine());
        std::deque<detail::Substitution<T>> blocks;
        const auto has = [&](SolvePart part) { return solve.part == SolvePart::all || solve.part == part; };
        for (index_t first = 0; first < solve.rhs; first += solve.block_columns) {
            const DenseView<T> all{x.data(), order(), solve.rhs, order()};
            auto& block =
                blocks.emplace_back(state().factors, plan, solve.operation,
                                    all.block(0, first, order(), std::min(solve.block_columns, solve.rhs - first)), job,
                                    workspaces);
            if (has(SolvePart::forward)) block.forward();
            if (has(SolvePart::diagonal)) block.diagonal();
            if (has(SolvePart::backward)) block.backward();
        }
        job.wait();
        return x;
    }

    /// From the next deal on fronts on tiles are of several ranks.
    void share_fronts() { shares_fronts_ = true; }

    /// Those of the other ranks are kept aside.
    void deal(Door& door, const Owners& owners) {
        take_back();
        RankMapping owned = dealt(*state().analysis, owners);
        if (shares_fronts_) deal_tiles(owned);
        detail::TreeShare share{std::make_shared<const RankMapping>(std::move(owned))};
        share.channel = {std::shared_ptr<void>(), door.channel.get()};
        share.solver = 5;
        const Mapping& mapping = state().analysis->mapping;
        for (index_t f = 0; f < state().analysis->tree.front_count(); ++f) {
            const index_t s = mapping.subtree_of_front[at(f)], g = mapping.grid_of_front[at(f)];
            if (g >= 0 && share.has_part(f) && !share.owns(f))
                std::swap(state().factors.tiled()[at(g)]->second_pass(), others_second_passes_[g]);
            if (share.has_part(f)) continue;
            if (g >= 0) std::swap(state().factors.tiled()[at(g)], others_tiled_[g]);
            if (s >= 0 && mapping.subtrees[at(s)].root_front == f)
                std::swap(state().factors.subtrees()[at(s)], others_subtrees_[s]);
        }
        state().factors.ownership.share = std::make_shared<const detail::TreeShare>(std::move(share));
    }

    /// This rank's part of the positions that it must know; the others are no numbers.
    std::vector<T> shared(const SolveCase& solve, Job& job) {
        const detail::SolveLayouts layouts = layouts_of(solve);
        const std::vector<T> given = random_numbers<T>(order(), solve.rhs);
        std::vector<T> x(given.size(), T(std::numeric_limits<real_t<T>>::quiet_NaN()));
        const DenseView<T> view{x.data(), order(), solve.rhs, order()};
        const DenseView<const T> all{given.data(), order(), solve.rhs, order()};
        layouts.before.template unpack<T>(world_rank(), layouts.before.pack(world_rank(), all), view);
        const detail::SharedSolve what{solve.operation,     solve.part,          SolvePlace::automatic,
                                       solve.block_columns, solve.group_scalars, 0,
                                       solve.call};
        detail::SharedSubstitution<T>(state().factors, what, view, job, {}, solve.most_message_bytes).run();
        return packed(layouts, view.as_const());
    }

    /// The part of a whole solution that this rank has at the end.
    std::vector<T> own_part(const std::vector<T>& x, const SolveCase& solve) {
        return packed(layouts_of(solve), DenseView<const T>{x.data(), order(), solve.rhs, order()});
    }

    static std::vector<T> packed(const detail::SolveLayouts& layouts, DenseView<const T> x) {
        const auto values = layouts.after.pack(world_rank(), x);
        return {values.begin(), values.end()};
    }

    detail::SolveLayouts layouts_of(const SolveCase& solve) {
        return detail::solve_layouts(*state().analysis, *state().factors.ownership.share, all_positions_, solve.part);
    }
    detail::PositionRoutes routes() {
        return detail::position_routes(detail::plan_units(*state().analysis), *state().factors.ownership.share,
                                       all_positions_);
    }
    /// Columns set back from a shared front to a rank that has their diagonal tile there, but does not lead: it has two
    /// values of each.
    std::size_t columns_held_beside() {
        const std::vector<detail::PlannedUnit> units = detail::plan_units(*state().analysis);
        const detail::TreeShare& share = *state().factors.ownership.share;
        std::size_t found = 0;
        for (const detail::PositionRoute& route : routes().routes)
            for (const index_t s : route.positions) {
                const detail::PlannedUnit& unit = units[at(detail::unit_of_position(units, s))];
                if (!share.has_shared_tiles(unit.front) || share.owner(unit.front) == route.destination) continue;
                const index_t grid = state().analysis->mapping.grid_of_front[at(unit.front)];
                const index_t tile = detail::tile_of(state().analysis->mapping.grids[at(grid)], s - unit.first_column);
                found += share.tile_owner(unit.front, tile, tile) == route.destination ? 1 : 0;
            }
        return found;
    }
    std::size_t units() { return detail::plan_units(*state().analysis).size(); }
    const std::vector<detail::SecondPassPositions>& all_positions() const { return all_positions_; }

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

    /// The owner of the unit leads; tables of one or two rows.
    void deal_tiles(RankMapping& mapping) {
        for (index_t f = 0; f < state().analysis->tree.front_count(); ++f) {
            const index_t g = state().analysis->mapping.grid_of_front[at(f)];
            if (g < 0) continue;
            const index_t leader = mapping.grid[at(f)].rank.front(), ranks = world_size(),
                          rows = ranks >= 4 ? 1 + f % 2 : 1, cols = f % 3 == 0 ? 2 : ranks / rows;
            if (rows * cols > ranks) continue;
            RankGrid& grid = mapping.grid[at(f)];
            grid = {rows, cols, {}};
            for (index_t r = 0; r < rows * cols; ++r) grid.rank.push_back((leader + r) % ranks);
        }
    }
    void take_back() {
        for (auto& [g, front] : others_tiled_) std::swap(state().factors.tiled()[at(g)], front);
        for (auto& [g, second_pass] : others_second_passes_)
            std::swap(state().factors.tiled()[at(g)]->second_pass(), second_pass);
        for (auto& [s, subtree] : others_subtrees_) std::swap(state().factors.subtrees()[at(s)], subtree);
        others_tiled_.clear();
        others_second_passes_.clear();
        others_subtrees_.clear();
        state().factors.ownership.share = nullptr;
    }

    bool shares_fronts_ = false;
    Factors<T> factors_;
    std::vector<detail::SecondPassPositions> all_positions_;
    std::map<index_t, std::unique_ptr<detail::TiledFront<T>>> others_tiled_;
    std::map<index_t, cpu::SecondPass<T>> others_second_passes_;  // which the rank that leads has alone
    std::map<index_t, detail::SubtreeFactors<T>> others_subtrees_;
};

/// Whether the solve by all ranks has the bits of that by one process, at the positions of this rank.
template <class T>
bool has_expected_bits(Door& door, SharedFactors<T>& factors, const Owners& owners, const SolveCase& solve) {
    const std::vector<T> all = factors.expected(solve);
    factors.deal(door, owners);
    Job job(detail::starpu_engine());
    return same_bits(factors.shared(solve, job), factors.own_part(all, solve));
}

/// In a tree of many fronts.
template <class T>
SharedFactors<T> factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping) {
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::nested_dissection;
    options.amalgamation_zeros = 1e-9;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(a, options);
    return SharedFactors<T>(a, remapped(*analysed.analysis, mapping), analysed.scaling);
}

}  // namespace frond::test
