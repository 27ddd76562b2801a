// SPDX-License-Identifier: BSD-3-Clause
// A trace that StarPU records has every task once, and says which part of the work it did.
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "requirement.hpp"
#include "shared_session.hpp"
#include "refinement/gmres.hpp"
#include "session/session_state.hpp"
#include "substitution/factor_solve.hpp"
#include "substitution/host_columns.hpp"
#include "traced_tasks.hpp"

#include <doctest/doctest.h>

#include <regex>
#include <set>

using namespace frond;
using namespace frond::test;

namespace {

[[maybe_unused]] const bool traces_suite_is_known = require_for_suite(needs_traces, records_traces);

/// Every kind of task of factorizations and solves on cores. Solves on tiles are two iterations.
void factor_and_solve(const Session& session, const SparseMatrix<double>& a, Factorization kind,
                      detail::SubstitutionWay way) {
    AnalysisOptions options;
    options.factorization = kind;
    const AnalysisResult analysed = analyze(a, options);
    FactorOptions by_tasks;
    by_tasks.place = FactorPlace::tasks;
    const Factors<double> factors =
        factorize(session, remapped(*analysed.analysis, {"mixed", 16, 60}), a, by_tasks, &analysed.scaling);
    CHECK(factors.report().work.tasks > 100);
    constexpr index_t rhs = 2;
    const index_t n = a.rows();
    std::vector<double> x(static_cast<std::size_t>(n) * rhs, 1.0);
    SolveOptions on_host;
    on_host.place = SolvePlace::host;
    detail::FactorSolve<double> inverse(*detail::state_of(factors), on_host);
    inverse.force(way);
    for (int iteration = 0; iteration < 2; ++iteration) inverse.apply({x.data(), n, rhs, n});
}

/// The number that follows the word in the name; -1: it is not there.
int number_after(const std::string& name, const std::string& word) {
    std::smatch found;
    return std::regex_search(name, found, std::regex(" " + word + " (\\d+)")) ? std::stoi(found[1]) : -1;
}

std::string kind_of(const TracedTask& task) {
    const std::string& name = task.at("Name");
    return name.substr(0, name.find(' '));
}

/// What is missing in a task's name or beside it.
std::string missing(const TracedTask& task) {
    const std::string& name = task.at("Name");
    const std::string kind = kind_of(task);
    if (kind == "host_chunk") {
        if (number_after(name, "chunk") < 0) return "chunk";
        return name.starts_with("host_chunk chunk") ? "purpose" : "";
    }
    static const std::set<std::string> on_tiles{"assemble_tile", "factor_diagonal",     "solve_panel",    "update_tile",
                                                "accept_pivots", "solve_diagonal_tile", "update_segments"};
    static const std::set<std::string> of_steps{"factor_diagonal", "solve_panel", "update_tile", "accept_pivots"};
    static const std::set<std::string> of_solves{"solve_subtree",  "gather_children",     "scatter_to_child",
                                                 "solve_group",    "solve_diagonal_tile", "solve_second_pass",
                                                 "update_segments"};
    if (number_after(name, "front") < 0 && number_after(name, "fronts") < 0) return "front";
    if (number_after(name, "level") < 0) return "level";
    if (on_tiles.contains(kind) && name.find(" tile (") == std::string::npos) return "tile";
    if (of_steps.contains(kind) && number_after(name, "step") < 0) return "step";
    if (of_solves.contains(kind) && number_after(name, "iteration") < 0) return "iteration";
    for (const char* what : {"Priority", "Footprint", "WorkerId", "EndTime"})
        if (!task.contains(what)) return what;
    return "";
}

}  // namespace

TEST_CASE("child: factorizations and solves" * doctest::skip()) {
    const Session session(four_workers());
    const SparseMatrix<double> definite = poisson3d<double>(9).matrix, indefinite = kkt<double>(7).matrix;
    factor_and_solve(session, definite, Factorization::llt, detail::SubstitutionWay::units);
    factor_and_solve(session, indefinite, Factorization::ldlt, detail::SubstitutionWay::units);
    factor_and_solve(session, convdiff3d<double>(9).matrix, Factorization::lu, detail::SubstitutionWay::groups);
}

TEST_CASE("a trace has every submitted task once, by its name" * doctest::test_suite(needs_traces)) {
    const TracedChild child("child: factorizations and solves", 120);
    REQUIRE(child.status() == 0);
    const std::vector<TracedTask> tasks = child.tasks();
    const std::vector<std::string> names = names_of(tasks);
    CHECK(tasks.size() > 1000);
    CHECK(names == child.submitted());
    CHECK(std::set<std::string>(names.begin(), names.end()).size() > names.size() / 4);
    std::set<std::string> kinds, kinds_with_flops;  // StarPU leaves out what is less than a thousand
    for (const TracedTask& task : tasks) {
        CAPTURE(task.at("Name"));
        CHECK(missing(task) == "");
        kinds.insert(kind_of(task));
        if (task.contains("GFlop")) kinds_with_flops.insert(kind_of(task));
    }
    for (const std::string kind : {"factor_subtree", "factor_diagonal", "solve_panel", "update_tile", "solve_subtree",
                                   "solve_group", "update_segments"}) {
        CAPTURE(kind);
        CHECK(kinds_with_flops.contains(kind));
    }
    for (const std::string kind : {"assemble_tile", "gather_failed", "accept_pivots", "eliminate_failed",
                                   "gather_children", "scatter_to_child", "solve_diagonal_tile"}) {
        CAPTURE(kind);
        CHECK(kinds.contains(kind));
    }
    const std::vector<std::string> events = child.events();
    CHECK(std::count(events.begin(), events.end(), "factorization begins") == 3);
    CHECK(std::count(events.begin(), events.end(), "factorization ends") == 3);
}

TEST_CASE("child: a solve with refinement and GMRES" * doctest::skip()) {
    const Session session(four_workers());
    const SparseMatrix<double> a = poisson2d<double>(260).matrix;  // vectors of several pieces
    const AnalysisResult analysed = analyze(a, AnalysisOptions());
    const Factors<double> factors = factorize(session, analysed.analysis, a, FactorOptions(), &analysed.scaling);
    const detail::FactorsState<double>& state = *detail::state_of(factors);
    const auto n = static_cast<std::size_t>(a.rows());
    std::vector<double> b(n, 1.0), x(n, 0.0);
    SolveOptions options;
    options.place = SolvePlace::host;
    detail::FactorSolve<double> inverse(state, options);
    const DenseView<double> xv{x.data(), a.rows(), 1, a.rows()};
    const DenseView<const double> bv{b.data(), a.rows(), 1, a.rows()};
    // A bad inverse: refinement goes on, and GMRES after it.
    const ApplyBlock<double> apply = [&](DenseView<double> v) {
        inverse.apply(v);
        for (std::size_t i = 0; i < n; i += 2) v.data[i] *= 0.5;
    };
    const detail::JobGuard guard(*state.session);
    HostColumns<double> columns(state.system.linear_system(Operation::none), bv, apply, xv, 1);
    RefinementOptions refinement;
    refinement.target = refinement_target<double>(0);
    RefinementReport report = refine(columns, refinement);
    GmresOptions gmres_options;
    gmres_options.target = refinement.target;
    gmres_options.restart = 5;
    gmres_options.max_iterations = 10;
    gmres(state.system.linear_system(Operation::none), bv, apply, xv, gmres_options, report);
}

TEST_CASE("loops of a solve say what they are for, and in which iteration" * doctest::test_suite(needs_traces)) {
    const TracedChild child("child: a solve with refinement and GMRES", 120);
    REQUIRE(child.status() == 0);
    std::set<std::string> purposes;
    int last_iteration = -1;
    for (const TracedTask& task : child.tasks()) {
        const std::string& name = task.at("Name");
        CAPTURE(name);
        CHECK(missing(task) == "");
        if (kind_of(task) != "host_chunk") continue;
        const std::size_t begin = name.find(' ') + 1;
        const std::string purpose = name.substr(begin, name.find(' ', begin) - begin);
        purposes.insert(purpose);
        if (purpose == "scaling" || purpose == "pattern") continue;  // of the factorization
        CHECK(number_after(name, "iteration") >= 0);
        last_iteration = std::max(last_iteration, number_after(name, "iteration"));
    }
    for (const char* purpose : {"residual", "error", "correction", "copy", "permutation", "product", "gmres"}) {
        CAPTURE(purpose);
        CHECK(purposes.contains(purpose));
    }
    CHECK(last_iteration > 3);
}

TEST_CASE("child: a factorization without a trace" * doctest::skip()) {
    const Session session(four_workers());
    CHECK_FALSE(StarpuStart::is_traced());
    factor_and_solve(session, poisson3d<double>(9).matrix, Factorization::llt, detail::SubstitutionWay::units);
}

TEST_CASE("without a trace tasks have the names of their kinds") {
    const SystemFolder folder;
    const std::string file = folder.path() + "/submitted";
    REQUIRE(run_case_in_child("child: a factorization without a trace",
                              {{"STARPU_FXT_TRACE", "0"}, {"FROND_TEST_SUBMITTED", file}}, 120) == 0);
    std::ifstream submitted(file);
    int count = 0;
    for (std::string name; std::getline(submitted, name); ++count) CHECK(name.find(' ') == std::string::npos);
    CHECK(count > 100);
}
