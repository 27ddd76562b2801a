// SPDX-License-Identifier: BSD-3-Clause
// Each rank keeps its rows of A and its part of the analysis; none has the whole.
#include "dealt_system.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "ranks/load_plugin.hpp"
#include "shared_always.hpp"

#include <complex>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions distributed(Factorization kind = Factorization::automatic) {
    AnalysisOptions options;
    options.factorization = kind;
    options.distributed_analysis = DistributedAnalysis::on;
    return options;
}

bool can_distribute(const SomeRanks& ranks) {
    return ranks.size() > 1 && detail::mpi_plugin().duplicate(ranks.communicator())->orders_graphs();
}

template <class T>
void check_distributed(const SparseMatrix<T>& a, const AnalysisOptions& options, const SomeRanks& ranks) {
    Solver<T> solver(ranks.session(), options);
    auto part = dealt(a, ranks);
    solver.factor(part.view());
    check_solves(solver, a, ranks);
    CHECK(solver.analysis_report().ordering == OrderingMethod::ptscotch);
    if (ranks.rank() == 0) CHECK(solver.analysis()->entry_map.source.empty());  // it is a part
    SparseMatrix<T> twice = a;
    for (T& v : twice.value) v *= T(2);
    for (T& v : part.value) v *= T(2);
    solver.factor_values(part.value);
    check_solves(solver, twice, ranks);
}

}  // namespace

TEST_CASE("distributed analysis: all kinds and scalars are factored and solved, also with new values") {
    const SharedAlways shared;
    on_some_ranks([](const SomeRanks& ranks) {
        if (!can_distribute(ranks)) return;
        check_distributed(poisson3d<double>(9).matrix, distributed(Factorization::llt), ranks);
        check_distributed(poisson3d<float>(7).matrix, distributed(), ranks);
        check_distributed(kkt<double>(8).matrix, distributed(Factorization::ldlt), ranks);
        check_distributed(convdiff3d<double>(9).matrix, distributed(), ranks);
        check_distributed(helmholtz3d<std::complex<double>>(7).matrix, distributed(), ranks);
        check_distributed(elasticity3d<double>(4).matrix, distributed(), ranks);
    });
}
