// SPDX-License-Identifier: BSD-3-Clause
// What pivoting costs: the same matrix factored as L U, L D L^T and L L^T, with static and with threshold
// pivoting, in turns within one session, so that a busy machine slows all of them alike.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "frond/base/instantiate.hpp"
#include "frond/frond.hpp"
#include "load_matrix.hpp"
#include "run_facts.hpp"

namespace {

using namespace frond;
using frond::bench::load_matrix;
using frond::bench::may_be_definite;

struct Variant {
    const char* name;
    Factorization factorization;
    Pivoting pivoting;
};

/// The variants that the symmetry allows; each pair of neighbours is compared.
template <class T>
std::vector<Variant> variants(const SparseMatrix<T>& a) {
    std::vector<Variant> list{{"LU static", Factorization::lu, Pivoting::static_pivots},
                              {"LU threshold", Factorization::lu, Pivoting::threshold}};
    if (a.symmetry == Symmetry::general) return list;
    const bool hermitian = is_complex<T> && a.symmetry == Symmetry::hermitian;
    const Factorization indefinite = hermitian ? Factorization::ldlh : Factorization::ldlt;
    list.push_back({"LDL static", indefinite, Pivoting::static_pivots});
    list.push_back({"LDL threshold", indefinite, Pivoting::threshold});
    if (may_be_definite(a)) list.push_back({"LL", Factorization::llt, Pivoting::automatic});
    return list;
}

/// One variant with what its factorizations took.
template <class T>
struct Runner {
    Variant variant;
    std::unique_ptr<Solver<T>> solver;
    std::vector<double> seconds;
    FactorReport report;

    void run(const SharedMatrix<T>& a) {
        FactorOptions options;
        options.pivoting = variant.pivoting;
        report = solver->factor(a, options);
        if (!can_solve_with(report.status)) throw InvalidArgument("positive diagonal, but not positive definite");
        seconds.push_back(report.seconds);
    }
    double median() {
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2];
    }
};

template <class T>
std::vector<Runner<T>> prepare(const Session& session, const SharedMatrix<T>& a) {
    std::vector<Runner<T>> runners;
    for (const Variant& v : variants(*a)) {
        AnalysisOptions options;
        options.factorization = v.factorization;
        Runner<T>& r = runners.emplace_back(Runner<T>{v, std::make_unique<Solver<T>>(session, options), {}, {}});
        r.solver->analyze(a);
        r.run(a);  // cold memory: not counted
        r.seconds.clear();
    }
    return runners;
}

double ratio(double to, double of) { return of > 0 ? to / of : 0; }

template <class T>
void print(const std::string& name, std::vector<Runner<T>>& runners) {
    fmt::print("\n{}\n{:<15}{:>10}{:>10}{:>10}{:>12}{:>10}{:>11}\n", name, "variant", "factor s", "fastest", "Gflop/s",
               "second pass", "delayed", "perturbed");
    for (Runner<T>& r : runners) {
        const double median = r.median();
        fmt::print("{:<15}{:>10.4f}{:>10.4f}{:>10.1f}{:>12}{:>10}{:>11}\n", r.variant.name, median, r.seconds.front(),
                   r.report.work.flops / median * 1e-9, r.report.pivots.second_pass, r.report.pivots.delayed,
                   r.report.pivots.perturbed);
    }
    const auto compare = [&](std::size_t i, std::size_t j) {
        if (i < runners.size())
            fmt::print("{} / {}: {:.3f} of the medians, {:.3f} of the fastest\n", runners[i].variant.name,
                       runners[j].variant.name, ratio(runners[i].median(), runners[j].median()),
                       ratio(runners[i].seconds.front(), runners[j].seconds.front()));
    };
    compare(1, 0);
    compare(3, 2);
    if (runners.size() == 5) compare(3, 4);
    std::fflush(stdout);
}

void run(const Session& session, const std::string& name, int rounds) {
    std::visit(
        [&]<class T>(SparseMatrix<T>&& matrix) {
            if constexpr (!is_built<T>()) {
                throw InvalidArgument(name + ": this build leaves its scalar out (FROND_SCALARS)");
            } else {
                const auto a = std::make_shared<const SparseMatrix<T>>(std::move(matrix));
                std::vector<Runner<T>> runners = prepare<T>(session, a);
                for (int round = 0; round < rounds; ++round)
                    for (Runner<T>& r : runners) r.run(a);
                print(name, runners);
            }
        },
        load_matrix(name));
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> matrices;
    int rounds = 7;
    CLI::App app("What pivoting costs, on the same matrices in alternating runs");
    app.add_option("matrices", matrices, "files or generate:KIND:SIZE")->required();
    app.add_option("--rounds", rounds, "factorizations of each variant")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    const Session session;
    fmt::print("{}\n", frond::bench::run_facts().dump());
    for (const std::string& m : matrices) run(session, m, rounds);
    return 0;
} catch (const std::exception& e) {
    fmt::print(stderr, "bench_pivoting: {}\n", e.what());
    return 2;
}
