// SPDX-License-Identifier: BSD-3-Clause
// The solution by several ranks is that by one process, to the last bit: all kinds of factors, operations and parts.
#include "frond/matrix/generate.hpp"
#include "memory/predict_peak.hpp"
#include "scalar_lists.hpp"
#include "shared_factors.hpp"
#include "substitution/tree/shared_plan.hpp"
#include "trouble_systems.hpp"

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr SolvePart parts[] = {SolvePart::all, SolvePart::forward, SolvePart::diagonal, SolvePart::backward};

/// All parts and operations, or, with L U, the k-th third of them; with numbers of right-hand sides in turn.
template <class T>
void check_solves(Door& door, SharedFactors<T>& factors, const Owners& owners, std::optional<std::size_t> third = {}) {
    const bool lu = factors.state().kind() == Factorization::lu;
    constexpr index_t rhs[] = {3, 1, 70};
    constexpr count_t groups[] = {400, 0, 1 << 20, 60};
    std::size_t turn = 0;
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
        if (op != Operation::none && !lu) continue;
        for (const SolvePart part : parts) {
            const std::size_t number = turn++;
            if (lu && third && (number + *third) % 3 != 0) continue;
            SolveCase solve{part, op, rhs[(number + third.value_or(0)) % (third ? 2 : 3)]};
            solve.group_scalars = groups[(number + third.value_or(0)) % 4];
            CAPTURE(static_cast<int>(part));
            CAPTURE(static_cast<int>(op));
            CHECK(has_expected_bits(door, factors, owners, solve));
        }
    }
}

const ForcedMapping mappings[] = {{"all on tiles", 32, 0}, {"small tiles above subtrees", 8, 20}, {"tiles", 6, 9}};

}  // namespace

TEST_SUITE_BEGIN("shared solve");

TEST_CASE_TEMPLATE_DEFINE("all kinds, operations, parts and numbers of right-hand sides", T, kinds) {
    Door door;
    const auto definite = poisson2d<T>(13).matrix, unsymmetric = convdiff3d<T>(5).matrix;
    std::uint64_t seed = 1;
    for (const ForcedMapping& mapping : mappings) {
        CAPTURE(std::string(mapping.name));
        auto llt = factored(definite, is_complex<T> ? Factorization::ldlt : Factorization::llt, mapping);
        auto ldlt = factored(definite, Factorization::ldlt, mapping);
        auto lu = factored(unsymmetric, Factorization::lu, mapping);
        for (auto* factors : {&llt, &ldlt, &lu}) {
            CHECK(factors->units() > 10);
            check_solves(door, *factors, at_random(++seed));
        }
        check_solves(door, ldlt, in_turn());
        for (auto* factors : {&llt, &ldlt, &lu}) {
            factors->share_fronts();
            check_solves(door, *factors, at_random(++seed), seed);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(kinds, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("columns that threshold pivoting set back to other ranks", T, delayed) {
    Door door;
    std::size_t turn = 0, routes = 0;
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        CAPTURE(system.name);
        const ForcedMapping& mapping = trouble_mappings()[turn % 4];
        const AnalysisResult analysed = analyze_as_given(system.matrix, system.kind);
        SharedFactors<T> factors(system.matrix, remapped(*analysed.analysis, mapping), analysed.scaling);
        if (turn % 2 == 1) factors.share_fronts();
        check_solves(door, factors, turn % 3 == 0 ? in_turn() : at_random(turn), turn);
        ++turn;
        routes += factors.routes().routes.size();
        std::vector<detail::SecondPassPositions> own;
        for (const auto& list : factors.all_positions())
            if (factors.state().factors.ownership.share->owns(list.front)) own.push_back(list);
        CHECK(detail::own_second_pass_positions(factors.state().factors) == own);
    }
    CHECK(routes > 50);
}

TEST_CASE_TEMPLATE_APPLY(delayed, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("columns set back to a rank that has tiles of the front they come from", T, held_beside) {
    Door door;
    const Broom broom{2, 2, 6, 4, 4};
    std::size_t held = 0;
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        const auto a = broom_matrix<T>(broom, kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric, 2);
        const AnalysisResult analysed = analyze_as_given(a, kind);
        SharedFactors<T> factors(a, remapped(*analysed.analysis, {"tiles", 1, 0}), analysed.scaling);
        CHECK(factors.report().pivots.delayed == 2 * broom.root_columns());
        factors.share_fronts();
        for (const std::uint64_t seed : {1, 2, 3}) {
            CAPTURE(seed);
            check_solves(door, factors, at_random(seed), seed);
            if (kind == Factorization::ldlt) held += factors.columns_held_beside();
        }
    }
    CHECK(held > 0);
}

TEST_CASE_TEMPLATE_APPLY(held_beside, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("singular systems: null columns and rows of other ranks", T, singular) {
    Door door;
    std::size_t routes = 0;
    for (const bool reversed : {false, true})
        for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
            const Symmetry symmetry = kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric;
            const auto a = rank_deficient<T>(60, 48, reversed, symmetry, 3);
            const AnalysisResult analysed = analyze_as_given(a, kind);
            SharedFactors<T> factors(a, remapped(*analysed.analysis, {"tiles", 4, 0}), analysed.scaling);
            CHECK_FALSE(factors.report().pivots.null_rows.empty());
            check_solves(door, factors, at_random(7), reversed ? 0 : 1);
            routes += factors.routes().routes.size();
        }
    CHECK(routes > 0);
}

TEST_CASE_TEMPLATE_APPLY(singular, DoubleScalars);

TEST_CASE("messages that are cut by columns, and blocks of right-hand sides") {
    Door door;
    const auto saddle = saddle_point<double>(24, 5, Symmetry::symmetric, 4);
    const AnalysisResult analysed = analyze_as_given(saddle, Factorization::ldlt);
    SharedFactors<double> hard(saddle, remapped(*analysed.analysis, {"tiles", 4, 0}), analysed.scaling);
    auto plain = factored(poisson2d<double>(13).matrix, Factorization::llt, {"tiles above subtrees", 8, 20});
    const detail::MessageCounts before = door.channel->counts();
    for (const count_t most : {count_t{1}, count_t{64}, count_t{200}})
        for (auto* factors : {&hard, &plain})
            for (const index_t block : {2, 5}) {
                SolveCase solve;
                solve.rhs = 7;
                solve.block_columns = block;
                solve.most_message_bytes = most;
                solve.group_scalars = block == 2 ? 0 : 300;
                CHECK(has_expected_bits(door, *factors, in_turn(), solve));
            }
    CHECK(sum_over_ranks(door.channel->counts().sent_messages - before.sent_messages) > 1000);
}

TEST_CASE("more tasks and messages than may wait") {
    Door door;
    const auto a = troubled_tips<double>(400, 6, Symmetry::symmetric, 5);
    const AnalysisResult analysed = analyze_as_given(a, Factorization::ldlt);
    SharedFactors<double> factors(a, remapped(*analysed.analysis, {"tiles", 16, 0}), analysed.scaling);
    SolveCase solve;
    solve.rhs = 7;
    solve.block_columns = 1;
    const auto each_sweep = static_cast<count_t>(factors.units()) * solve.rhs;
    CHECK(each_sweep > detail::most_pending_tasks(*factors.state().analysis));
    CHECK(has_expected_bits(door, factors, at_random(5), solve));
}

TEST_CASE("units that are one task are of one rank, together no larger than was said, and no shared front is one") {
    Door door;
    auto factors = factored(poisson2d<double>(13).matrix, Factorization::llt, {"tiles above subtrees", 8, 20});
    factors.deal(door, [](index_t unit) { return unit / 8 % world_size(); });
    const detail::TreeShare whole = *factors.state().factors.ownership.share;
    factors.share_fronts();
    factors.deal(door, [](index_t unit) { return unit / 8 % world_size(); });
    std::size_t of_several = 0;
    for (const detail::TreeShare* share : {&whole, factors.state().factors.ownership.share.get()})
        for (const count_t most : {count_t{1}, count_t{200}, count_t{1000}}) {
            const detail::SubstitutionPlan plan = detail::plan_on_ranks(*factors.state().analysis, *share, most);
            for (std::size_t g = 0; g < plan.groups.size(); ++g) {
                count_t scalars = 0;
                const auto [first, root] = plan.groups[g];
                for (index_t u = first; u <= root; ++u) {
                    const detail::PlannedUnit& unit = plan.units[static_cast<std::size_t>(u)];
                    scalars += unit.scalars;
                    CHECK(unit.group == static_cast<index_t>(g));
                    CHECK(share->owner(unit.front) == share->owner(plan.units[static_cast<std::size_t>(root)].front));
                    CHECK_FALSE(share->has_shared_tiles(unit.front));
                }
                CHECK((scalars <= most || plan.units[static_cast<std::size_t>(first)].subtree >= 0));
                of_several += root > first ? 1 : 0;
            }
        }
    CHECK(of_several > 0);
}

TEST_CASE("two solves at once with the same factors, from two threads, have messages of their own") {
    Door door;
    const auto a = saddle_point<double>(40, 5, Symmetry::symmetric, 4);
    const AnalysisResult analysed = analyze_as_given(a, Factorization::ldlt);
    SharedFactors<double> factors(a, remapped(*analysed.analysis, {"tiles", 4, 0}), analysed.scaling);
    SolveCase solves[2];
    std::vector<double> expected[2], found[2];
    for (int t = 0; t < 2; ++t) {
        solves[t].rhs = 3 + t;
        solves[t].block_columns = 2;
        solves[t].call = 14 + t;
        expected[t] = factors.expected(solves[t]);
    }
    factors.deal(door, in_turn());
    std::thread threads[2];
    for (int t = 0; t < 2; ++t)
        threads[t] = std::thread([&, t] {
            Job job(detail::starpu_engine());
            found[t] = factors.shared(solves[t], job);
        });
    for (std::thread& thread : threads) thread.join();
    for (int t = 0; t < 2; ++t) CHECK(same_bits(found[t], factors.own_part(expected[t], solves[t])));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("shared solve on many ranks");

TEST_CASE("more ranks than most systems have units") {
    Door door;
    const ForcedMapping mapping{"tiles above subtrees", 8, 20};
    auto definite = factored(poisson2d<double>(13).matrix, Factorization::llt, mapping);
    auto unsymmetric = factored(convdiff3d<double>(5).matrix, Factorization::lu, mapping);
    const auto a = constant_diagonal<double>(61, 2, 0, Symmetry::general, 1);
    const AnalysisResult analysed = analyze_as_given(a, Factorization::lu);
    SharedFactors<double> hard(a, remapped(*analysed.analysis, {"tiles", 4, 0}), analysed.scaling);
    auto one = factored(poisson2d<double>(3).matrix, Factorization::llt, {"one subtree", 16, 1 << 20});
    for (auto* factors : {&definite, &unsymmetric, &hard, &one}) {
        CHECK(has_expected_bits(door, *factors, at_random(11), {SolvePart::all, Operation::none, 3}));
        CHECK(has_expected_bits(door, *factors, in_turn(), {SolvePart::forward, Operation::none, 1}));
    }
}

TEST_SUITE_END();
