// SPDX-License-Identifier: BSD-3-Clause
// Other values of the same pattern: how they are made, and frond bench --new-values.
#include "bench/bench_facts.hpp"
#include "exit_code.hpp"
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"
#include "run/new_values.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace frond;
using namespace frond::test;
using cli::ValueChange;
using Json = nlohmann::json;

namespace {

/// All entries are there; a_ij = 1 off the diagonal and 2 on it.
template <class T>
SparseMatrix<T> dense(index_t n) {
    SparseMatrix<T> a;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin = {0};
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = 0; i < n; ++i) {
            a.pattern.row.push_back(i);
            a.value.push_back(T(i == j ? 2 : 1));
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.pattern.row.size()));
    }
    return a;
}

void check_medians(const Json& times, std::size_t runs) {
    CAPTURE(times.dump());
    REQUIRE(times.at("all").size() == runs);
    const std::vector<double> all = times.at("all");
    CHECK(times.at("median").get<double>() == doctest::Approx(cli::Times{all}.median()));
    CHECK(times.at("minimum").get<double>() == doctest::Approx(cli::Times{all}.minimum()));
    CHECK(cli::Times{all}.minimum() > 0);
}

Json new_values_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

}  // namespace

#if FROND_SCALAR_D
using Matrix = SparseMatrix<double>;

TEST_CASE("a congruence is D A D with positive D near 1") {
    constexpr index_t n = 6;
    const Matrix a = dense<double>(n);
    for (const auto& [change, least, largest] :
         {std::tuple{ValueChange::congruence, 0.9, 1.1}, {ValueChange::graded, 0x1p-12, 0x1p12}}) {
        const std::vector<double> value = cli::changed_values(a, change, 1);
        REQUIRE(value.size() == a.value.size());
        std::vector<double> d;
        for (index_t i = 0; i < n; ++i) {
            d.push_back(std::sqrt(value[static_cast<std::size_t>(i * n + i)] / 2));
            CHECK(d.back() >= least * (1 - rounding_bound<double>(3)));
            CHECK(d.back() <= largest * (1 + rounding_bound<double>(3)));
        }
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) {
                const auto e = static_cast<std::size_t>(j * n + i);
                const double wanted = a.value[e] * d[static_cast<std::size_t>(i)] * d[static_cast<std::size_t>(j)];
                CHECK(is_near(value[e], wanted, rounding_bound<double>(8)));
            }
    }
}

TEST_CASE("graded values span what no kept scaling bears") {
    const Matrix a = dense<double>(40);
    const std::vector<double> value = cli::changed_values(a, ValueChange::graded, 1);
    const auto [least, largest] = std::minmax_element(value.begin(), value.end());
    CHECK(*largest / *least > 0x1p24);
}

TEST_CASE("factors change each entry by itself, by up to 2^3") {
    const Matrix a = dense<double>(20);
    const std::vector<double> value = cli::changed_values(a, ValueChange::factors, 1);
    double least = 8, largest = 0;
    for (std::size_t e = 0; e < value.size(); ++e) {
        const double factor = value[e] / a.value[e];
        CHECK(factor >= 0.125);
        CHECK(factor <= 8);
        least = std::min(least, factor);
        largest = std::max(largest, factor);
    }
    CHECK(least < 0.25);
    CHECK(largest > 4);
}

TEST_CASE("each round has its own values, the same whenever it is asked for") {
    const Matrix a = dense<double>(5);
    for (const ValueChange change : {ValueChange::congruence, ValueChange::factors, ValueChange::graded}) {
        const std::vector<double> first = cli::changed_values(a, change, 1);
        CHECK(first == cli::changed_values(a, change, 1));
        CHECK(first != cli::changed_values(a, change, 2));
        CHECK(first != a.value);
        CHECK(cli::value_change_from_string(to_string(change), "x") == change);
    }
}
#endif

#if FROND_SCALAR_Z
TEST_CASE("the diagonal of a Hermitian matrix stays real") {
    using Complex = std::complex<double>;
    SparseMatrix<Complex> a = dense<Complex>(1);
    a.symmetry = Symmetry::hermitian;
    for (const ValueChange change : {ValueChange::congruence, ValueChange::factors, ValueChange::graded})
        CHECK(cli::changed_values(a, change, 1).front().imag() == 0);
}
#endif

TEST_CASE("bench with new values times what a user waits for") {
    const Json bench = new_values_of({data("494_bus.mtx.gz"), "generate:kkt:3", "--new-values", "--repeat", "2"});
    CHECK(bench["new_values"] == "congruence");
    REQUIRE(bench["matrices"].size() == 2);
    for (const Json& one : bench["matrices"]) {
        CAPTURE(one.dump());
        for (const char* part :
             {"cold_seconds", "analysis_seconds", "first_factorization_seconds", "first_solve_seconds",
              "factorization_seconds", "factor_values_seconds", "solve_seconds"})
            check_medians(one.at(part), 2);
        for (std::size_t run = 0; run < 2; ++run)  // of the same process
            CHECK(one["cold_seconds"]["all"][run].get<double>() >
                  one["analysis_seconds"]["all"][run].get<double>() +
                      one["first_factorization_seconds"]["all"][run].get<double>() +
                      one["first_solve_seconds"]["all"][run].get<double>());
        CHECK(one["componentwise_backward_error"].get<double>() <= 450 * epsilon<double>());
        CHECK(one["verdict"] == "solved");
        CHECK(one["other_than_from_scratch"].is_null());  // by congruence the inertia cannot change
    }
}

TEST_CASE("values that change by factors have inertia and verdict as from scratch") {
    for (const char* change : {"factors", "graded"}) {
        CAPTURE(change);
        const Json bench = new_values_of(
            {"generate:kkt:3", data("west0067.mtx.gz"), std::string("--new-values=") + change, "--repeat", "2"});
        CHECK(bench["new_values"] == change);
        for (const Json& one : bench["matrices"]) {
            CHECK(one["compared_with_scratch"].get<int>() >= 2);
            CHECK(one["other_than_from_scratch"] == 0);
        }
    }
}

TEST_CASE("bench with new values says why there is no solution") {
    const TemporaryFile indefinite(".mtx",
                                   "%%MatrixMarket matrix coordinate real symmetric\n"
                                   "2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    const Outcome outcome = run_frond(
        {"bench", indefinite.path(), "--factorization", "llt", "--new-values", "--repeat", "1", "--json", "-"});
    CHECK(outcome.exit_code == cli::not_definite);
    const Json one = Json::parse(outcome.out)["matrices"][0];
    CHECK(one["verdict"] == "not_positive_definite");
    CHECK(one["cold_seconds"].is_null());
    CHECK(one["solve_seconds"].is_null());
    check_medians(one["first_factorization_seconds"], 1);
}

TEST_CASE("bench refuses new values that it does not know") {
    const Outcome unknown = run_frond({"bench", data("LFAT5.mtx"), "--new-values=random"});
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("--new-values: 'random'") != std::string::npos);
    CHECK(unknown.err.find("graded") != std::string::npos);
}
