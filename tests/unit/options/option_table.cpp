// SPDX-License-Identifier: BSD-3-Clause
#include "frond/option_table.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

using namespace frond;

namespace {

std::string message_of(const std::string& name, const std::string& value) {
    Options options;
    try {
        set_option(options, name, value);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int rows_of(OptionPhase phase) {
    int rows = 0;
    for (const OptionInfo& info : option_table()) rows += info.phase == phase;
    return rows;
}

}  // namespace

TEST_CASE("every field of the structures is in the table, or only code can give it") {
    // A structured binding must name every field: a new field breaks the build of this test until
    // its row is in the table.
    const Options defaults;
    const auto& [cpu_workers, gpus, gpu_memory, scheduler, tuning, communicator, inline_tasks] = defaults.session;
    const auto& [factorization, ordering, user_order, grid, grid_dofs, matching, scaling, zeros, tile_size, workers,
                 ranks, cut_for_gpus, deterministic, distributed, threads, machine, tree_cut] = defaults.analysis;
    const auto& [pivoting, threshold, null_tolerance, tolerance, budget, stale, null_pivots, escalate, factor_place,
                 presolve, progress, factor_cancel] = defaults.factor;
    const auto& [operation, part, steps, target, krylov, forward_error, condition_hint, rhs_block, place, solve_budget,
                 solve_cancel, stream] = defaults.solve;
    CHECK(communicator == nullptr);
    CHECK(factor_place == FactorPlace::automatic);
    CHECK(user_order.empty());
    CHECK(!progress);
    CHECK(factor_cancel == solve_cancel);
    CHECK(!presolve);
    CHECK(ranks == 1);
    CHECK(distributed == DistributedAnalysis::automatic);
    CHECK(stream == nullptr);
    CHECK(!inline_tasks);
    CHECK(rows_of(OptionPhase::session) == 7 - 1);
    CHECK(rows_of(OptionPhase::analysis) == 17 - 4);
    CHECK(rows_of(OptionPhase::factor) == 12 - 2);
    CHECK(solve_budget == 0);
    CHECK(condition_hint);
    CHECK(rows_of(OptionPhase::solve) == 12 - 2);
}

TEST_CASE("names are unique, described, and read back their own default") {
    std::set<std::string> names;
    for (const OptionInfo& info : option_table()) {
        CAPTURE(info.name);
        CHECK(names.insert(info.name).second);
        CHECK(info.text.size() > 10);
        CHECK(info.text.back() == '.');
        CHECK(!info.range.empty());
        Options options;
        CHECK(get_option(options, info.name) == info.default_value);
        set_option(options, info.name, info.default_value);
        CHECK(get_option(options, info.name) == info.default_value);
        for (const OptionChoice& choice : info.choices) {
            set_option(options, info.name, choice.name);
            CHECK(get_option(options, info.name) == choice.name);
        }
    }
}

TEST_CASE("each option reaches its own field") {
    Options o;
    set_options(
        o,
        "cpu_workers=3 gpus=2 cut_for_gpus=1 scheduler=lws factorization=ldlt ordering=metis grid=4x5 grid_dofs=2 "
        "matching=on scaling=none,amalgamation_zeros=0.25,tile_size=256,workers=7\n"
        "deterministic=on threads=2 pivoting=static static_pivot_tolerance=1e-9 "
        "pivot_threshold=0.125 null_pivot_tolerance=1e-11 null_pivots=error escalate=off "
        "forward_error=on "
        "memory_budget_bytes=1.5G on_stale_matching=rematch operation=adjoint part=forward "
        "max_refinement_steps=1 target_backward_error=1e-14 krylov=off rhs_block=32 place=host factor_place=tasks "
        "presolve=on");
    CHECK(o.session.cpu_workers == 3);
    CHECK(o.session.scheduler == "lws");
    CHECK(o.session.gpus == 2);
    CHECK(o.analysis.cut_for_gpus == 1);
    CHECK(o.analysis.factorization == Factorization::ldlt);
    CHECK(o.analysis.ordering == OrderingMethod::metis);
    CHECK(o.analysis.grid == std::array<index_t, 3>{4, 5, 1});
    CHECK(o.analysis.grid_dofs == 2);
    CHECK(o.analysis.matching == MatchingMode::on);
    CHECK(o.analysis.scaling == ScalingMethod::none);
    CHECK(o.analysis.amalgamation_zeros == 0.25);
    CHECK(o.analysis.tile_size == 256);
    CHECK(o.analysis.workers == 7);
    CHECK(o.analysis.deterministic);
    CHECK(o.analysis.threads == 2);
    CHECK(o.factor.pivoting == Pivoting::static_pivots);
    CHECK(o.factor.static_pivot_tolerance == 1e-9);
    CHECK(o.factor.memory_budget_bytes == 3 * (count_t(1) << 29));
    CHECK(o.factor.on_stale_matching == StaleMatching::rematch);
    CHECK(o.factor.pivot_threshold == 0.125);
    CHECK(o.factor.null_pivot_tolerance == 1e-11);
    CHECK(o.factor.null_pivots == NullPivots::error);
    CHECK(!o.factor.escalate);
    CHECK(o.solve.operation == Operation::adjoint);
    CHECK(o.solve.part == SolvePart::forward);
    CHECK(o.solve.max_refinement_steps == 1);
    CHECK(o.solve.target_backward_error == 1e-14);
    CHECK(o.solve.krylov == Krylov::off);
    CHECK(o.solve.forward_error);
    CHECK(o.solve.rhs_block == 32);
    CHECK(o.solve.place == SolvePlace::host);
    CHECK(o.factor.place == FactorPlace::tasks);
    CHECK(o.factor.presolve);
}

TEST_CASE("names may be written as flags") {
    Options options;
    set_option(options, "Tile-Size", "64");
    CHECK(options.analysis.tile_size == 64);
    CHECK(flag_name("tile_size") == "--tile-size");
    CHECK(environment_name("tile_size") == "FROND_TILE_SIZE");
}

TEST_CASE("an unknown name lists the options and the nearest spelling") {
    const std::string message = message_of("orderng", "metis");
    CHECK(contains(message, "'orderng'"));
    CHECK(contains(message, "did you mean 'ordering'?"));
    for (const OptionInfo& info : option_table()) CHECK(contains(message, info.name));
    CHECK(!contains(message_of("zzzzzzzz", "1"), "did you mean"));
}

TEST_CASE("an unknown value names the option, the value, what is allowed and the nearest") {
    const std::string message = message_of("ordering", "mets");
    CHECK(contains(message, "ordering = 'mets'"));
    CHECK(contains(message, "automatic, amd, nested_dissection, metis, scotch, geometric, natural, user, ptscotch"));
    CHECK(contains(message, "did you mean 'metis'?"));
}

TEST_CASE("values outside their range are refused") {
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"tile_size", "-1"},
                                                                    {"tile_size", "12.5"},
                                                                    {"tile_size", ""},
                                                                    {"tile_size", "99999999999"},
                                                                    {"tile_size", "12 "},
                                                                    {"grid_dofs", "0"},
                                                                    {"amalgamation_zeros", "2"},
                                                                    {"amalgamation_zeros", "nan"},
                                                                    {"deterministic", "maybe"},
                                                                    {"target_backward_error", "-1e-3"},
                                                                    {"target_backward_error", "inf"},
                                                                    {"memory_budget_bytes", "12Q"},
                                                                    {"memory_budget_bytes", "-1"},
                                                                    {"memory_budget_bytes", "G"},
                                                                    {"memory_budget_bytes", "1e30"},
                                                                    {"memory_budget_bytes", "4GX"},
                                                                    {"grid", "60"},
                                                                    {"grid", "60x60x"},
                                                                    {"grid", "0x4x4"},
                                                                    {"grid", "2x2x2x2"}}) {
        CAPTURE(name);
        CAPTURE(value);
        const std::string message = message_of(name, value);
        CHECK(contains(message, name));
        CHECK(contains(message, std::string("'") + value + "'"));
    }
}

TEST_CASE("units of bytes are powers of 1024") {
    Options o;
    for (const auto& [text, bytes] : std::initializer_list<std::pair<const char*, count_t>>{{"1000", 1000},
                                                                                            {"512M", 512 << 20},
                                                                                            {"2KiB", 2048},
                                                                                            {"1T", count_t(1) << 40},
                                                                                            {"3GB", count_t(3) << 30},
                                                                                            {"7B", 7}}) {
        set_option(o, "memory_budget_bytes", text);
        CHECK(o.factor.memory_budget_bytes == bytes);
    }
}

TEST_CASE("text without '=' is refused, empty text changes nothing") {
    Options options;
    CHECK_THROWS_AS(set_options(options, "ordering metis"), InvalidArgument);
    CHECK_NOTHROW(set_options(options, " , "));
}

TEST_CASE("environment variables set options and are named when wrong") {
    setenv("FROND_ORDERING", "scotch", 1);
    Options options;
    set_options_from_environment(options);
    CHECK(options.analysis.ordering == OrderingMethod::scotch);
    setenv("FROND_ORDERING", "scotsh", 1);
    try {
        set_options_from_environment(options);
        FAIL("accepted a wrong value");
    } catch (const InvalidArgument& error) {
        CHECK(contains(error.what(), "FROND_ORDERING"));
        CHECK(contains(error.what(), "did you mean 'scotch'?"));
    }
    unsetenv("FROND_ORDERING");
}

TEST_CASE("nearest spelling counts insertions, deletions, replacements and swaps") {
    const std::vector<std::string> words{"metis", "scotch", "natural"};
    CHECK(nearest_spelling("metsi", words) == "metis");
    CHECK(nearest_spelling("sctch", words) == "scotch");
    CHECK(nearest_spelling("nnatural", words) == "natural");
    CHECK(nearest_spelling("amd", words).empty());
}
