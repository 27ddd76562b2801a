// SPDX-License-Identifier: BSD-3-Clause
// `deterministic` with delays, null pivots and a second factorization for the rank: the same bits of
// factors, solution and facts for 1 and 2 workers and from run to run.
#include "child_process.hpp"
#include "frond/frond.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "singular_systems.hpp"
#include "temporary_file.hpp"
#include "trouble_systems.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace frond;
using namespace frond::test;

namespace {

constexpr const char* result_variable = "FROND_TEST_RESULT";

/// All bits, sign and both parts of complex values with them.
template <class T>
void write_value(std::ostream& out, const T& x) {
    out.write(reinterpret_cast<const char*>(&x), sizeof(T));
}

void write_facts(std::ostream& out, const FactorReport& report) {
    out << to_string(report.status) << ' ' << report.pivots.delayed << ' ' << report.pivots.second_pass << ' '
        << report.pivots.two_by_two << ' ' << report.work.tasks << ' ' << report.memory.factor_entries << ' '
        << report.work.repeated_for_rank;
    write_value(out, report.pivots.largest_l);
    write_value(out, report.pivots.null_below);
    if (report.pivots.inertia)
        out << ' ' << report.pivots.inertia->negative << ' ' << report.pivots.inertia->zero << ' '
            << report.pivots.inertia->positive;
    for (const auto* list : {&report.pivots.small_columns, &report.pivots.null_rows})
        for (const index_t i : *list) out << ' ' << i;
}

/// Without refinement the solution shows each bit of the factors that its right-hand sides meet.
template <class T>
void write_solution(std::ostream& out, const Factors<T>& factors, index_t n) {
    constexpr index_t rhs = 4;
    const auto b = RhsBlock<T>::random(n, rhs, 91);
    RhsBlock<T> x(n, rhs);
    SolveOptions options;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    for (const Operation operation : {Operation::none, Operation::adjoint}) {
        options.operation = operation;
        static_cast<void>(solve(factors, b.view(), x.view(), options));
        for (index_t j = 0; j < rhs; ++j)
            for (index_t i = 0; i < n; ++i) write_value(out, x(i, j));
    }
    if (const auto determinant = factors.log_determinant()) {
        write_value(out, determinant->log_abs);
        write_value(out, determinant->phase);
    }
}

struct Seen {
    count_t delayed = 0, second_pass = 0, null_pivots = 0, repeated = 0;
};

template <class T>
void write_outcome(const Session& session, const TroubleSystem<T>& system, const ForcedMapping& mapping,
                   std::ostream& out, Seen& seen) {
    AnalysisOptions options;
    options.factorization = system.kind;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.amalgamation_zeros = 1e-9;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(system.matrix, options);
    const Factors<T> factors =
        factorize(session, remapped(*analysed.analysis, mapping), system.matrix, {}, &analysed.scaling);
    const FactorReport& report = factors.report();
    seen.delayed += report.pivots.delayed;
    seen.second_pass += report.pivots.second_pass;
    seen.null_pivots += static_cast<count_t>(report.pivots.small_columns.size());
    seen.repeated += report.work.repeated_for_rank;
    write_facts(out, report);
    write_solution(out, factors, system.matrix.rows());
    out << '\n';
}

/// Null columns, one pair of them with rounding left that only the gap in the pivots tells.
template <class T>
void add_singular(std::vector<TroubleSystem<T>>& list) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
        const Factorization kind = kind_of<T>(symmetry);
        list.push_back({"Laplacian", scaled_laplacian<T>(60, 3, symmetry, 12), kind});
        list.push_back({"rounding of null pivots", with_pivots<T>({0, 2048}, symmetry), kind});
    }
}

template <class T>
void write_outcomes(const Session& session, std::ostream& out) {
    Seen seen;
    std::vector<TroubleSystem<T>> systems = trouble_systems<T>();
    add_singular(systems);
    for (const TroubleSystem<T>& system : systems)
        for (const std::size_t m : {std::size_t{0}, std::size_t{1}})
            write_outcome(session, system, trouble_mappings()[m], out, seen);
    CHECK(seen.delayed > 0);
    CHECK(seen.second_pass > seen.delayed);
    CHECK(seen.null_pivots > 0);
    CHECK(seen.repeated > 0);
}

template <class... T>
std::string all_outcomes(const Session& session, std::tuple<T...>) {
    std::ostringstream out;
    (write_outcomes<T>(session, out), ...);
    return out.str();
}

void write_with(index_t workers) {
    four_workers();
    const Session session(SessionOptions{.cpu_workers = workers});
    REQUIRE(session.info().cpu_workers == workers);
    const std::string first = all_outcomes(session, Scalars{});
    CHECK((all_outcomes(session, Scalars{}) == first));
    std::ofstream(std::getenv(result_variable), std::ios::binary) << first;
}

std::string outcomes_of_child(const std::string& name) {
    const TemporaryFile file("outcomes");
    REQUIRE(run_case_in_child(name, {{result_variable, file.path()}}, 250) == 0);
    std::ostringstream text;
    text << std::ifstream(file.path(), std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("child: outcomes with one worker" * doctest::skip()) { write_with(1); }

TEST_CASE("child: outcomes with two workers" * doctest::skip()) { write_with(2); }

TEST_CASE("delays and null pivots: the same bits for one and two workers and from run to run") {
    const std::string one = outcomes_of_child("child: outcomes with one worker");
    CHECK(one.size() > 100'000);
    CHECK((outcomes_of_child("child: outcomes with two workers") == one));  // not printed when they differ
}
