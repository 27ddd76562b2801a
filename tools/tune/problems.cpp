// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include "frond/base/error.hpp"
#include "frond/enum_text.hpp"
#include "run/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace frond::cli {
namespace {

/// Operations of a problem of size N: flops (N / size)^exponent, from two analyses of each kind (frond analyze,
/// automatic ordering, 2026-11-24).
struct Growth {
    const char* kind;
    Factorization factorization;
    double size, flops, exponent;
};

constexpr Growth poisson3d{"poisson3d", Factorization::llt, 30, 1.78e9, 6.95};
constexpr Growth poisson2d{"poisson2d", Factorization::llt, 300, 5.6e8, 2.67};
constexpr Growth elasticity3d{"elasticity3d", Factorization::llt, 12, 4.7e8, 6.06};
constexpr Growth convdiff3d{"convdiff3d", Factorization::lu, 20, 5.1e8, 5.22};
constexpr Growth kkt{"kkt", Factorization::ldlt, 8, 7.7e6, 5.45};

/// Beyond, analyses take too long against the factorizations that are timed.
constexpr double largest_unknowns_2d = 1000, largest_unknowns_3d = 90;

TuneProblem sized(const Growth& growth, double flops, FactorPlace place = FactorPlace::automatic) {
    const double size = growth.size * std::pow(flops / growth.flops, 1 / growth.exponent);
    const double largest = growth.size > 100 ? largest_unknowns_2d : largest_unknowns_3d;
    const long n = std::lround(std::clamp(size, 6.0, largest));
    return {fmt::format("generate:{}:{}", growth.kind, n), growth.factorization, place};
}

}  // namespace

std::string TuneProblem::title() const {
    std::string text = name.starts_with("generate:") ? name.substr(9) : name.substr(name.find_last_of('/') + 1);
    if (factorization != Factorization::automatic) text += fmt::format(" by {}", to_string(factorization));
    return place == FactorPlace::tasks ? text + ", tasks" : text;
}

std::vector<TuneProblem> problems_to_choose_by(double flops, bool cards) {
    const FactorPlace place = cards ? FactorPlace::tasks : FactorPlace::automatic;
    return {sized(poisson3d, flops), sized(elasticity3d, flops, place), sized(convdiff3d, flops, place)};
}

std::vector<TuneProblem> problems_to_verify_by(double flops, bool cards) {
    const FactorPlace place = cards ? FactorPlace::tasks : FactorPlace::automatic;
    return {sized(poisson3d, 1.5 * flops, place), sized(poisson2d, flops / 4), sized(elasticity3d, 0.7 * flops),
            sized(convdiff3d, 1.5 * flops, place), sized(kkt, flops / 2)};
}

// Fronts on tiles take most of the time of the first two, small fronts of the third; the last has pivots to choose.
std::vector<TuneProblem> large_problems(double flops) {
    return {sized(elasticity3d, flops), sized(convdiff3d, flops / 4), sized(poisson2d, flops / 4),
            sized(kkt, flops / 4)};
}

LoadedProblem::LoadedProblem(const TuneProblem& which) : problem(which) {
    const Problem loaded = load_problem(which.name, Precision::double_precision);
    const auto* const real = std::get_if<SharedMatrix<double>>(&loaded.matrix);
    if (real == nullptr)
        throw InvalidArgument(
            fmt::format("{}: its scalars are {}, and frond tune compares real matrices in double "
                        "precision; give such a matrix",
                        which.name, loaded.facts.scalar));
    matrix = *real;
}

std::vector<LoadedProblem> load_all(const std::vector<TuneProblem>& problems) {
    return {problems.begin(), problems.end()};
}

}  // namespace frond::cli
