// SPDX-License-Identifier: BSD-3-Clause
#include "submit/choose_scaling.hpp"

#include <chrono>
#include <cmath>
#include <string>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/time_models.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"

namespace frond::detail {
namespace {

using Clock = RunClock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Values that the kept scaling suits leave no matched column without its entry.
template <class T>
UnmatchedPart unmatched_by(const ChosenScaling& chosen, const SparseMatrix<T>& a, const Analysis& analysis) {
    const bool all = chosen.kept != nullptr && chosen.kept->covers_all();
    return all ? UnmatchedPart() : unmatched_part(a, analysis);
}

template <class T>
TaskWork sizes_of(const SparseMatrix<T>& a) {
    TaskWork work;
    work.items = static_cast<double>(a.entries());
    work.rows = static_cast<double>(a.cols());
    return work;
}

void check_scales(const std::vector<double>& scale, index_t n, const char* name) {
    FROND_EXPECTS(scale.empty() || static_cast<index_t>(scale.size()) == n,
                  std::string("the scaling has ") + std::to_string(scale.size()) + " " + name +
                      " scales, the matrix order " + std::to_string(n) + "; give one that analyze() or " +
                      "compute_scaling() made for this pattern");
    for (const double s : scale)
        FROND_EXPECTS(s > 0 && std::isfinite(s), std::string("a ") + name + " scale is " + std::to_string(s) +
                                                     "; scales must be positive and finite");
}

}  // namespace

template <class T>
ChosenScaling choose_scaling(SessionState& session, const SparseMatrix<T>& a, const Analysis& analysis,
                             const FactorOptions& options, std::shared_ptr<const KeptScaling> kept) {
    const auto start = Clock::now();
    const HostSpan span("scaling");
    HostWork work(analysis.factorization == Factorization::llt ? "scaling llt" : "scaling", sizes_of(a));
    const ParallelFor parallel_for = parallel_for_outside_jobs(session, "scaling");
    ChosenScaling chosen;
    if (needs_no_scaling(a, analysis, options.pivoting == Pivoting::none, parallel_for)) {
        chosen.kept = std::move(kept);
        chosen.unmatched = unmatched_part(a, analysis);
    } else if (kept != nullptr && is_kept(analysis) && kept->suits(a, parallel_for)) {
        chosen.scaling = std::shared_ptr<const Scaling>(kept, &kept->scaling());
        chosen.stale_matching = kept->stale();
        chosen.was_kept = true;
        chosen.kept = std::move(kept);
        chosen.unmatched = unmatched_by(chosen, a, analysis);
    } else {
        Scaling scaling = compute_scaling(a, analysis, &chosen.stale_matching);
        if (is_kept(analysis)) {
            chosen.kept = std::make_shared<const KeptScaling>(std::move(scaling), chosen.stale_matching, a, analysis,
                                                              parallel_for);
            chosen.scaling = std::shared_ptr<const Scaling>(chosen.kept, &chosen.kept->scaling());
        } else {
            chosen.scaling = std::make_shared<const Scaling>(std::move(scaling));
        }
        chosen.unmatched = unmatched_by(chosen, a, analysis);
    }
    work.end();
    chosen.seconds = seconds_since(start);
    return chosen;
}

template <class T>
ChosenScaling given_scaling(const Scaling& scaling, const SparseMatrix<T>& a, const Analysis& analysis) {
    const auto start = Clock::now();
    check_scales(scaling.row, analysis.order, "row");
    check_scales(scaling.column, analysis.order, "column");
    FROND_EXPECTS(scaling.row.size() == scaling.column.size(),
                  "the scaling has scales of rows or of columns alone; give both, or neither");
    FROND_EXPECTS(analysis.factorization == Factorization::lu || scaling.row == scaling.column,
                  "rows and columns are scaled differently; a symmetric factorization needs the same scales");
    ChosenScaling chosen;
    chosen.scaling = std::make_shared<const Scaling>(scaling);
    chosen.unmatched = unmatched_part(a, analysis);
    chosen.seconds = seconds_since(start);
    return chosen;
}

#define FROND_INSTANTIATE(T)                                                                            \
    template ChosenScaling choose_scaling<T>(SessionState&, const SparseMatrix<T>&, const Analysis&,    \
                                             const FactorOptions&, std::shared_ptr<const KeptScaling>); \
    template ChosenScaling given_scaling<T>(const Scaling&, const SparseMatrix<T>&, const Analysis&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
