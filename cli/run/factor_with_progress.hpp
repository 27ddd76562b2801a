// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"
#include "frond/solver.hpp"
#include "run/interrupt.hpp"
#include "run/run_facts.hpp"
#include "terminal/progress_bar.hpp"

namespace frond::cli {

/// Factors a sparse or a dense matrix, with a progress bar where somebody sees it, until the user interrupts.
template <class T, class Matrix>
void factor_with_progress(Solver<T>& solver, const Matrix& a, FactorOptions options, RunFacts& facts) {
    ProgressBar bar("factorization");
    options.cancel = &interrupt_flag();
    if (bar.visible_on_this_stream()) options.progress = [&bar](const Progress& progress) { bar.update(progress); };
    try {
        facts.factor = solver.factor(a, options);
    } catch (const InvalidMatrix& error) {  // the library knows no file
        throw InvalidMatrix(facts.matrix.name + ": " + error.what(), facts.matrix.name);
    }
}

}  // namespace frond::cli
