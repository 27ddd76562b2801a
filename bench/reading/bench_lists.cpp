// SPDX-License-Identifier: BSD-3-Clause
// How long lists of entries take to become the canonical form, and what factor() takes with them. One table a matrix.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <random>

#include "frond/frond.hpp"
#include "load_matrix.hpp"

namespace {

using namespace frond;

/// A list of one triangle, or of a general matrix.
struct List {
    const char* name;
    std::vector<std::int32_t> row, column;
    std::vector<double> value;

    void push(std::int32_t i, std::int32_t j, double x) {
        row.push_back(i);
        column.push_back(j);
        value.push_back(x);
    }

    TripletView<double> view(const SparseMatrix<double>& of) const {
        TripletView<double> v;
        v.rows = of.rows();
        v.cols = of.cols();
        v.entries = static_cast<count_t>(row.size());
        v.row = row.data();
        v.column = column.data();
        v.value = value.data();
        v.symmetry = of.symmetry;
        v.stored = of.symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
        return v;
    }
};

List by_columns(const SparseMatrix<double>& a) {
    List list{"by columns", {}, {}, {}};
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            list.push(a.pattern.row[static_cast<std::size_t>(e)], j, a.value[static_cast<std::size_t>(e)]);
    return list;
}

List by_rows(const SparseMatrix<double>& a) {
    List list = by_columns(transposed(a));
    std::swap(list.row, list.column);
    list.name = "by rows";
    return list;
}

/// Every third entry in two halves, all in an order of chance.
List shuffled(const SparseMatrix<double>& a) {
    List list = by_columns(a);
    for (std::size_t e = 0, entries = list.row.size(); e < entries; e += 3) {
        list.value[e] /= 2;
        list.push(list.row[e], list.column[e], list.value[e]);
    }
    std::mt19937_64 random(1);
    for (std::size_t e = list.row.size(); e > 1; --e) {
        const std::size_t other = random() % e;
        std::swap(list.row[e - 1], list.row[other]);
        std::swap(list.column[e - 1], list.column[other]);
        std::swap(list.value[e - 1], list.value[other]);
    }
    list.name = "shuffled, a quarter twice";
    return list;
}

template <class Body>
double seconds(Body&& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void run(const SparseMatrix<double>& a, const List& list, int rounds, bool factors) {
    std::vector<double> made;
    for (int round = 0; round < rounds; ++round)
        made.push_back(seconds([&] {
            if (make_sparse(list.view(a)).entries() != a.entries())
                throw std::runtime_error("the list became another matrix");
        }));
    fmt::print("{:<28}{:>12}{:>14.4f}", list.name, list.row.size(), median(made));
    if (factors) {
        Solver<double> solver{Session()};
        const double analysis = seconds([&] { solver.analyze(list.view(a)); });
        const double first = seconds([&] { solver.factor(list.view(a)); });
        std::vector<double> later, values;
        for (int round = 0; round < rounds; ++round) {
            later.push_back(seconds([&] { solver.factor(list.view(a)); }));
            values.push_back(seconds([&] { solver.factor_values(list.value); }));
        }
        fmt::print("{:>12.4f}{:>12.4f}{:>12.4f}{:>16.4f}", analysis, first, median(later), median(values));
    }
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> matrices{"generate:poisson3d:60"};
    int rounds = 5;
    bool factors = false;
    CLI::App app("Seconds that lists of entries take to become the canonical form: medians");
    app.add_option("matrices", matrices, "real matrices, as for frond solve");
    app.add_option("--rounds", rounds, "times that each list is taken")->check(CLI::PositiveNumber);
    app.add_flag("--factor", factors, "also analyze(), factor() of the list, first and later, and factor_values()");
    CLI11_PARSE(app, argc, argv);
    for (const std::string& name : matrices) {
        const auto a = std::get<SparseMatrix<double>>(bench::load_matrix(name));
        fmt::print("{}\n{:<28}{:>12}{:>14}{}\n", name, "list", "entries", "canonical",
                   factors ? fmt::format("{:>12}{:>12}{:>12}{:>16}", "analyze", "factor", "later", "factor_values")
                           : "");
        for (const List& list : {by_columns(a), by_rows(a), shuffled(a)}) run(a, list, rounds, factors);
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_lists: {}\n", error.what());
    return 1;
}
