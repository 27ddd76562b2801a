// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "study_cases.hpp"

namespace frond::cli {

struct RealRun {
    double seconds = 0;
    bool on_cards = false;  // they took part
};

/// One factorization on this machine, by a session and an analysis of its own. with_cards: it may take as many as the
/// options ask for; where they take part, the fifth factorization counts, by Solver::factor_values.
RealRun run_really(const Options& options, const StudyCase& one, bool with_cards);

}  // namespace frond::cli
