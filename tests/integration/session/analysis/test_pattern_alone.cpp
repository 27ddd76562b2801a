// SPDX-License-Identifier: BSD-3-Clause
// Analyses before any value is known: no array of values, or zeros.
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"
#include "solved_rightly.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// The entries of a canonical matrix as triplets.
struct Entries {
    explicit Entries(const SparseMatrix<double>& a) : value(a.value) {
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) column.push_back(j);
        row = a.pattern.row;
        view.rows = view.cols = a.cols();
        view.entries = a.entries();
        view.row = row.data();
        view.column = column.data();
        view.symmetry = a.symmetry;
        view.stored = a.symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
    }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

    TripletView<double> with(const double* values) const {
        TripletView<double> with = view;
        with.value = values;
        return with;
    }

    std::vector<index_t> row, column;
    std::vector<double> value;
    TripletView<double> view;
};

/// A grid's matrix with its rows moved far away: hardly any column has a diagonal entry.
SparseMatrix<double> general_without_diagonal() {
    SparseMatrix<double> a = expanded(poisson2d<double>(9).matrix);
    a.symmetry = Symmetry::general;
    std::vector<std::int32_t> row, column;
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const index_t i = a.pattern.row[static_cast<std::size_t>(e)];
            row.push_back((i + a.rows() / 2) % a.rows());
            column.push_back(j);
        }
    TripletView<double> view{a.rows(), a.cols(), a.entries(), row.data(), column.data(), a.value.data()};
    return make_sparse(view);
}

void check_pattern_alone(const SparseMatrix<double>& a, Factorization kind) {
    const Entries entries(a);
    const std::vector<double> zeros(entries.value.size(), 0.0);
    for (const double* values : {static_cast<const double*>(nullptr), zeros.data()}) {
        CAPTURE(values == nullptr);
        Solver<double> solver{Session(four_workers())};
        const AnalysisReport& report = solver.analyze(entries.with(values));
        CHECK(report.factorization == kind);
        CHECK(report.flops == solver.analysis()->cost.flops);
        CHECK(report.structural_rank == a.cols());
        if (values == nullptr) {
            CHECK_THROWS_WITH_AS(solver.factor(entries.with(nullptr)), doctest::Contains("the value array is null"),
                                 InvalidMatrix);
        }
        const FactorReport& factor = solver.factor_values(entries.value);
        CHECK(factor.status == FactorStatus::success);
        CHECK_FALSE(factor.work.scaling_kept);
        CHECK(solved_rightly(solver, a));
        CHECK(solver.factor(entries.with(entries.value.data())).status == FactorStatus::success);
        CHECK(solved_rightly(solver, a));
    }
}

}  // namespace

TEST_CASE("the pattern alone is analysed, and later values are factored") {
    check_pattern_alone(poisson2d<double>(12).matrix, Factorization::ldlt);
    SparseMatrix<double> general = expanded(poisson2d<double>(12).matrix);
    general.symmetry = Symmetry::general;
    check_pattern_alone(general, Factorization::lu);
    check_pattern_alone(general_without_diagonal(), Factorization::lu);
    check_pattern_alone(kkt<double>(6).matrix, Factorization::ldlt);
}

TEST_CASE("a kind that is asked for is that of the pattern, too") {
    const SparseMatrix<double> a = poisson2d<double>(12).matrix;
    AnalysisOptions options;
    options.factorization = Factorization::llt;
    Solver<double> solver(Session(four_workers()), options);
    const Entries entries(a);
    CHECK(solver.analyze(entries.with(nullptr)).factorization == Factorization::llt);
    CHECK(solver.factor_values(entries.value).factorization == Factorization::llt);
    CHECK(solved_rightly(solver, a));
}
