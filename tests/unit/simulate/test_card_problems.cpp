// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of a card, and how tasks share its time.
#include "simulate/calibrate/card_problems.hpp"

#include "frond/codelets/card_clock.hpp"
#include "simulate/model_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace frond;
using namespace frond::cli;

namespace {

/// Of the tables in docs/simulation.md and docs/studies.md.
const std::set<std::string> predicted{
    "generate:poisson3d:60",    "generate:poisson3d:72",    "generate:poisson3d:80",  "generate:poisson3d:96",
    "generate:poisson3d:100",   "generate:poisson3d:104",   "generate:poisson3d:40",  "generate:poisson3d:30",
    "generate:elasticity3d:36", "generate:elasticity3d:48", "generate:grid27:44",     "generate:poisson2d:1000",
    "generate:elasticity3d:24", "generate:poisson3d:16",    "generate:poisson2d:200",
};

}  // namespace

TEST_CASE("no problem of a calibration on a card is one that is predicted") {
    for (const auto& problems : {problems_of_pieces(), problems_of_tiles()}) {
        std::set<Factorization> factorizations;
        for (const CalibrationProblem& problem : problems) {
            CAPTURE(problem.name);
            CHECK(predicted.count(problem.name) == 0);
            factorizations.insert(problem.factorization);
        }
        CHECK(factorizations == std::set{Factorization::llt, Factorization::ldlt, Factorization::lu});
    }
}

TEST_CASE("models of a card are of pieces, or of tasks on tiles") {
    const TimeModels pieces{{"card factor_piece llt", {}}, {"update_tile general", {}}};
    const TimeModels tiles{{"card update_tile general", {}}, {"factor_piece llt", {}}};
    CHECK(has_models_of_card(pieces, true));
    CHECK_FALSE(has_models_of_card(pieces, false));
    CHECK_FALSE(has_models_of_card(tiles, true));
    CHECK(has_models_of_card(tiles, false));
}

TEST_CASE("tasks that run on a card at once have the time of the card together") {
    CardClock clock;
    const double a = clock.begin(10), b = clock.begin(12), of_b = clock.end(16) - b;
    CHECK(of_b == 2);
    const double c = clock.begin(16);
    CHECK(clock.end(18) - a == 5);  // 2 alone, 4 and 2 with another one
    CHECK(clock.end(19) - c == 2);
    const double later = clock.begin(100);  // nothing ran meanwhile
    CHECK(clock.end(103) - later == 3);
}

TEST_CASE("a clock of a card stands where time goes back") {
    CardClock clock;
    const double a = clock.begin(10), b = clock.begin(9);
    CHECK(clock.end(12) - a == 1);
    CHECK(clock.end(13) - b == 2);
}
