// SPDX-License-Identifier: BSD-3-Clause
// The ordering ptscotch: all ranks order the graph of rank 0.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "ranked/dealt/graph_cuts.hpp"

#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions by_ptscotch(Factorization kind = Factorization::automatic) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = kind;
    options.ordering = OrderingMethod::ptscotch;
    return options;
}

double flops_of(const SparseMatrix<double>& a, OrderingMethod method) {
    AnalysisOptions options = by_ptscotch(Factorization::llt);
    options.ordering = method;
    return analyze(a, options).analysis->cost.flops;
}

/// Components of which PT-Scotch has two, Scotch and minimum degree one each, and one vertex alone.
SparseMatrix<double> several_grids() {
    SparseMatrix<double> all;
    all.symmetry = Symmetry::symmetric;
    all.pattern.begin.push_back(0);
    for (const index_t k : {12, 13, 7, 4, 1}) {
        const SparseMatrix<double> a = poisson3d<double>(k).matrix;
        const index_t first = all.pattern.cols;
        const count_t entries = all.pattern.begin.back();
        for (std::size_t j = 1; j < a.pattern.begin.size(); ++j)
            all.pattern.begin.push_back(entries + a.pattern.begin[j]);
        for (const index_t i : a.pattern.row) all.pattern.row.push_back(first + i);
        all.value.insert(all.value.end(), a.value.begin(), a.value.end());
        all.pattern.rows = all.pattern.cols = first + a.pattern.cols;
    }
    return all;
}

}  // namespace

TEST_CASE("ptscotch orders on any number of ranks, twice in the same way, about as well as Scotch" *
          doctest::test_suite(needs_ptscotch)) {
    const SparseMatrix<double> a = poisson2d<double>(180).matrix;  // for three ranks
    const double by_scotch = flops_of(a, OrderingMethod::scotch);
    on_some_ranks([&](const SomeRanks& ranks) {
        Solver<double> first(ranks.session(), by_ptscotch(Factorization::llt));
        Solver<double> second(ranks.session(), by_ptscotch(Factorization::llt));
        const AnalysisReport report = first.analyze(dealt(a, ranks).view());
        second.factor(dealt(a, ranks).view());
        CHECK(report.ordering == OrderingMethod::ptscotch);
        check_solves(second, a, ranks);
        if (ranks.rank() > 0) return;
        const Analysis &one = *first.analysis(), &two = *second.analysis();
        CHECK(one.column_order == two.column_order);
        std::vector<index_t> sorted = one.column_order, all(sorted.size());
        std::sort(sorted.begin(), sorted.end());
        std::iota(all.begin(), all.end(), 0);
        CHECK(sorted == all);
        CHECK(one.cost.flops < 1.3 * by_scotch);
        CHECK(one.report.candidates.at(0).method == OrderingMethod::ptscotch);
    });
}

TEST_CASE("ptscotch takes pairs, components and unsymmetric patterns" * doctest::test_suite(needs_ptscotch)) {
    on_some_ranks([](const SomeRanks& ranks) {
        for (const SparseMatrix<double>& a :
             {several_grids(), kkt<double>(10).matrix, convdiff3d<double>(11).matrix, poisson2d<double>(2).matrix}) {
            Solver<double> solver(ranks.session(), by_ptscotch());
            const FactorReport report = solver.factor(dealt(a, ranks).view());
            CHECK(report.status == FactorStatus::success);
            check_solves(solver, a, ranks);
        }
    });
}

TEST_CASE("without a communicator ptscotch is refused with a cure") {
    const SparseMatrix<double> a = poisson2d<double>(40).matrix;
    const std::string alone = message_of<InvalidArgument>([&] { analyze(a, by_ptscotch()); });
    CHECK(contains(alone, "no communicator"));
    CHECK(contains(alone, "mpirun"));
}

TEST_CASE("without PT-Scotch ptscotch is refused with a cure" * doctest::test_suite(needs_no_ptscotch)) {
    const SparseMatrix<double> a = poisson2d<double>(40).matrix;
    on_some_ranks([&](const SomeRanks& ranks) {
        Solver<double> solver(ranks.session(), by_ptscotch());
        const std::string text = message_of<InvalidArgument>([&] { solver.analyze(dealt(a, ranks).view()); });
        CHECK(contains(text, "built without PT-Scotch"));
        CHECK(is_same_everywhere(ranks, text));
    });
}

TEST_CASE(
    "a graph is cut into parts of about equally many entries and vertices, also where ranks are more than vertices") {
    Pattern graph;
    graph.rows = graph.cols = 6;
    graph.begin = {0, 5, 6, 7, 8, 9, 10};
    graph.row = {1, 2, 3, 4, 5, 0, 0, 0, 0, 0};
    CHECK(detail::cuts_of_graph(graph, 1, 1) == std::vector<count_t>{0, 6});
    CHECK(detail::cuts_of_graph(graph, 2, 1) == std::vector<count_t>{0, 2, 6});
    CHECK(detail::cuts_of_graph(graph, 3, 3) == std::vector<count_t>{0, 2, 6, 6});
    CHECK(detail::cuts_of_graph(graph, 2) == std::vector<count_t>{0, 6, 6});
    const std::vector<count_t> many = detail::cuts_of_graph(graph, 9, 1);
    CHECK(many.size() == 10);
    CHECK(many.front() == 0);
    CHECK(many.back() == 6);
    CHECK(std::is_sorted(many.begin(), many.end()));
}
