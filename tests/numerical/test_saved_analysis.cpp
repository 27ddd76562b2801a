// SPDX-License-Identifier: BSD-3-Clause
// A solver that uses an analysis from a file.
#include "forced_mapping.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "rhs_block.hpp"
#include "sample_systems.hpp"
#include "saved_analysis.hpp"
#include "shared_session.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions options_for(Factorization kind) {
    AnalysisOptions options;
    options.factorization = kind;
    options.deterministic = true;
    return options;
}

template <class T>
RhsBlock<T> solution(Solver<T>& solver, const SparseMatrix<T>& a) {
    const auto b = RhsBlock<T>::random(a.rows(), 2, 7);
    RhsBlock<T> x(a.rows(), 2);
    solver.factor(a);
    static_cast<void>(solver.solve(b.view(), x.view()));
    return x;
}

template <class T>
void check_same_bits() {
    for (const SampleSystem<T>& system : sample_systems<T>()) {
        CAPTURE(system.name);
        Solver<T> first(shared_session(), options_for(system.kind));
        first.analyze(system.matrix);
        const TemporaryFile file(".frond");
        save_analysis(*first.analysis(), file.path());
        Solver<T> second(shared_session());
        second.use(load_analysis(file.path()));
        CHECK_FALSE(bool(second.factors()));
        CHECK(solution(second, system.matrix) == solution(first, system.matrix));
        CHECK(second.factors().report().work.tasks == first.factors().report().work.tasks);
        CHECK(second.factors().report().memory.factor_entries == first.factors().report().memory.factor_entries);
    }
}

}  // namespace

TEST_CASE("factors and solution of a loaded analysis have the same bits") {
    const Watchdog watchdog(300);
#define FROND_CHECK_SCALAR(T) check_same_bits<T>();
    FROND_FOR_EACH_SCALAR(FROND_CHECK_SCALAR)
}

TEST_CASE("an analysis serves its pattern only") {
    const SparseMatrix<double> a = poisson2d<double>(9).matrix;
    const TemporaryFile file(".frond");
    save_analysis(*analyze(a, options_for(Factorization::llt)).analysis, file.path());
    Solver<double> solver(shared_session());
    CHECK_THROWS_AS(solver.use(nullptr), InvalidArgument);
    solver.use(load_analysis(file.path()));
    CHECK_THROWS_AS(solver.factor(poisson2d<double>(8).matrix), InvalidArgument);
    SparseMatrix<double> other = a;  // as many entries, elsewhere
    other.pattern.row[2] += 1;
    CHECK_THROWS_AS(solver.factor(other), InvalidArgument);
    CHECK(solver.factor(a).status == FactorStatus::success);
    solver.use(load_analysis(file.path()));
    CHECK_FALSE(bool(solver.factors()));
}

// A forger with the right checksum: what is taken must not lead out of memory (a build with the address
// sanitizer sees it); its solution may be wrong.
TEST_CASE("every forged byte is refused or harmless") {
    const Watchdog watchdog(600);
    const SparseMatrix<double> a = random_sparse<double>(24, 2, Symmetry::general, true, 3);
    const TemporaryFile file(".frond");
    save_analysis(*analyze(a, options_for(Factorization::lu)).analysis, file.path());
    const std::string whole = bytes_of(file.path());
    int taken = 0, refused = 0;
    for (std::size_t i = 16; i < whole.size(); i += 3) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << i % 8));
        forge_checksum(bytes);
        write_bytes(file.path(), bytes);
        try {
            Solver<double> solver(shared_session());
            solver.use(load_analysis(file.path()));
            solution(solver, a);
            ++taken;
        } catch (const Error&) {
            ++refused;
        }
    }
    CHECK(refused > taken);  // reports, options and flops may say anything
    CHECK(taken > 0);
}
