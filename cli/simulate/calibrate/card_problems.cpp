// SPDX-License-Identifier: BSD-3-Clause
#include "card_problems.hpp"

#include "terminal/status_line.hpp"

#include <array>
#include <string_view>

namespace frond::cli {
namespace {

/// From trees that launches of kernels fill to such that products do: without large ones no model would know what an
/// operation takes.
constexpr std::array<CalibrationProblem, 25> pieces{{
    {"generate:poisson2d:700", Factorization::llt},    {"generate:poisson2d:1400", Factorization::llt},
    {"generate:poisson3d:36", Factorization::llt},     {"generate:poisson3d:48", Factorization::llt},
    {"generate:poisson3d:64", Factorization::llt},     {"generate:poisson3d:88", Factorization::llt},
    {"generate:poisson3d:112", Factorization::llt},    {"generate:grid27:32", Factorization::llt},
    {"generate:grid27:56", Factorization::llt},        {"generate:elasticity3d:18", Factorization::llt},
    {"generate:elasticity3d:26", Factorization::llt},  {"generate:elasticity3d:42", Factorization::llt},
    {"generate:elasticity3d:54", Factorization::llt},  {"generate:convdiff3d:32", Factorization::lu},
    {"generate:convdiff3d:48", Factorization::lu},     {"generate:convdiff3d:72", Factorization::lu},
    {"generate:convdiff3d:92", Factorization::lu},     {"generate:poisson2d:700", Factorization::lu},
    {"generate:elasticity3d:30", Factorization::lu},   {"generate:poisson2d:700", Factorization::ldlt},
    {"generate:poisson3d:44", Factorization::ldlt},    {"generate:poisson3d:68", Factorization::ldlt},
    {"generate:poisson3d:92", Factorization::ldlt},    {"generate:elasticity3d:22", Factorization::ldlt},
    {"generate:elasticity3d:32", Factorization::ldlt},
}};

/// Large and small tiles of each factorization, and so few operations that a calibration stays short.
constexpr std::array<CalibrationProblem, 12> tiles{{
    {"generate:poisson3d:36", Factorization::llt},
    {"generate:poisson3d:48", Factorization::llt},
    {"generate:poisson3d:64", Factorization::llt},
    {"generate:poisson3d:88", Factorization::llt},
    {"generate:grid27:32", Factorization::llt},
    {"generate:elasticity3d:26", Factorization::llt},
    {"generate:elasticity3d:42", Factorization::llt},
    {"generate:convdiff3d:32", Factorization::lu},
    {"generate:convdiff3d:48", Factorization::lu},
    {"generate:poisson3d:44", Factorization::ldlt},
    {"generate:poisson3d:68", Factorization::ldlt},
    {"generate:elasticity3d:22", Factorization::ldlt},
}};

/// Whether the kind is recorded where there is a card, and only there.
bool is_of_card(std::string_view kind) { return kind.starts_with(on_card) || kind.starts_with("factor_piece"); }

/// After a first time, in which tables go to the card and the kernels of pieces are recorded.
TimeSamples factor_on_card(const CalibrationProblem& problem, FactorPlace place, const Session& session) {
    constexpr int times = 4;
    AnalysedProblem p(problem, 0, session);
    FactorOptions options;
    options.place = place;
    p.solver.factor(p.matrix, options);
    record_times(true);
    for (int k = 0; k < times; ++k) p.solver.factor(p.matrix, options);
    record_times(false);
    TimeSamples samples = take_times();
    std::erase_if(samples, [](const auto& entry) { return !is_of_card(entry.first); });
    return samples;
}

void record_all(std::span<const CalibrationProblem> problems, FactorPlace place, const Session& session,
                TimeSamples& all) {
    const std::string where = place == FactorPlace::tasks ? " on tiles of the card" : " on the card";
    for (const CalibrationProblem& problem : problems) {
        const StatusLine status("factoring " + text_of(problem) + where);
        add_samples(factor_on_card(problem, place, session), all);
    }
}

}  // namespace

std::span<const CalibrationProblem> problems_of_pieces() { return pieces; }
std::span<const CalibrationProblem> problems_of_tiles() { return tiles; }

TimeSamples record_on_card() {
    TimeSamples all;
    SessionOptions defaults;
    defaults.tuning = "off";
    const Session session(defaults);
    if (session.info().gpus == 0) return all;
    record_all(pieces, FactorPlace::automatic, session, all);
    record_all(tiles, FactorPlace::tasks, session, all);
    return all;
}

}  // namespace frond::cli
