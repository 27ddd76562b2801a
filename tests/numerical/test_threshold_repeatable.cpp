// SPDX-License-Identifier: BSD-3-Clause
// `deterministic` with delays: the same bits of factors, solution and inertia for 1 and 2 workers
// and from run to run.
#include "child_process.hpp"
#include "frond/frond.hpp"
#include "rhs_block.hpp"
#include "shared_session.hpp"
#include "temporary_file.hpp"
#include "trouble_systems.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace frond;
using namespace frond::test;

namespace {

constexpr const char* result_variable = "FROND_TEST_RESULT";

/// Every bit of the solution, and the facts, as text. Without refinement the solution shows each
/// bit of the factors that its right-hand sides meet.
template<class T>
void write_outcome(const Session& session, const TroubleSystem<T>& system,
                   const ForcedMapping& mapping, std::ostream& out) {
    AnalysisOptions options;
    options.factorization = system.kind;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.amalgamation_zeros = 1e-9;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(system.matrix, options);
    const Factors<T> factors = factorize(session, remapped(*analysed.analysis, mapping),
                                         system.matrix, {}, &analysed.scaling);
    const FactorReport& report = factors.report();
    out << report.delayed << ' ' << report.second_pass << ' ' << report.two_by_two << ' '
        << report.tasks << ' ' << report.factor_entries;
    if (report.inertia) out << ' ' << report.inertia->negative << ' ' << report.inertia->positive;
    const index_t n = system.matrix.rows();
    const auto b = RhsBlock<T>::random(n, 4, 91);
    RhsBlock<T> x(n, 4);
    SolveOptions solve_options;
    solve_options.max_refinement_steps = 0;
    solve_options.krylov = Krylov::off;
    solve(factors, b.view(), x.view(), solve_options);
    for (index_t j = 0; j < 4; ++j)
        for (index_t i = 0; i < n; ++i) out << ' ' << std::hexfloat << std::abs(x(i, j));
    out << ' ' << factors.log_determinant()->log_abs << '\n';
}

std::string all_outcomes(const Session& session) {
    std::ostringstream out;
    for (const TroubleSystem<double>& system : trouble_systems<double>())
        for (const std::size_t m : {std::size_t{0}, std::size_t{1}})
            write_outcome(session, system, trouble_mappings()[m], out);
    return out.str();
}

void write_with(index_t workers) {
    four_workers();
    const Session session(SessionOptions{.cpu_workers = workers});
    REQUIRE(session.info().cpu_workers == workers);
    const std::string first = all_outcomes(session);
    CHECK(all_outcomes(session) == first);
    std::ofstream(std::getenv(result_variable)) << first;
}

std::string outcomes_of_child(const std::string& name) {
    const TemporaryFile file("outcomes");
    REQUIRE(run_case_in_child(name, {{result_variable, file.path()}}, 250) == 0);
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("child: outcomes with one worker" * doctest::skip()) {
    write_with(1);
}

TEST_CASE("child: outcomes with two workers" * doctest::skip()) {
    write_with(2);
}

TEST_CASE("delays: the same bits for one and two workers and from run to run") {
    const std::string one = outcomes_of_child("child: outcomes with one worker");
    CHECK(one.size() > 10000);
    CHECK(outcomes_of_child("child: outcomes with two workers") == one);
}
