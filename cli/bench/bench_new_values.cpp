// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"

#include "cold_run.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "run/interrupt.hpp"
#include "run/run_problem.hpp"
#include "terminal/clock.hpp"
#include "terminal/terminal.hpp"

namespace frond::cli {
namespace {

/// Empty where these factors need no scaling.
std::optional<bool> scaling_kept(const FactorReport& report) {
    if (report.factorization == Factorization::llt || report.pivoting == Pivoting::none) return std::nullopt;
    return report.work.scaling_kept;
}

template <class T>
class Refactorizations {
public:
    Refactorizations(const CommandLine& line, const Session& session, const Problem& problem,
                     const SharedMatrix<T>& first)
        : line_(line),
          session_(session),
          problem_(problem),
          first_(first),
          change_(value_change_from_string(line.new_values, "--new-values")),
          solver_(session, analysis_options_of(line, problem)) {
        bench_.new_values.emplace();
        factor_.cancel = solve_.cancel = &interrupt_flag();
    }

    BenchFacts measured() {
        solver_.analyze(first_);
        factor_and_solve(first_, [this] { solver_.factor(first_, factor_); });
        for (index_t i = 0; i < line_.repeat; ++i) {
            by_matrix(2 * i + 1);
            by_values(2 * i + 2);
        }
        return bench_;
    }

private:
    struct Seconds {
        double factor = 0;
        std::optional<double> solve;
    };

    SharedMatrix<T> values_of(index_t round) const {
        return std::make_shared<const SparseMatrix<T>>(SparseMatrix<T>{
            first_->pattern, changed_values(*first_, change_, static_cast<std::uint64_t>(round)), first_->symmetry});
    }

    void by_matrix(index_t round) {
        const SharedMatrix<T> a = values_of(round);
        const Seconds seconds = factor_and_solve(a, [&] { solver_.factor(a, factor_); });
        bench_.factor.seconds.push_back(seconds.factor);
        if (seconds.solve) bench_.solve.seconds.push_back(*seconds.solve);
        judge(a);
    }

    void by_values(index_t round) {
        const SharedMatrix<T> a = values_of(round);
        const Seconds seconds = factor_and_solve(a, [&] { solver_.factor_values(a->value, factor_); });
        bench_.new_values->factor_values.seconds.push_back(seconds.factor);
        judge(a);
    }

    template <class Factor>
    Seconds factor_and_solve(const SharedMatrix<T>& a, Factor factor) {
        const RightHandSides<T> rhs = rhs_of(line_, *a);
        const index_t n = a->rows();
        std::vector<T> x(rhs.b.size());
        run_ = RunFacts{};
        run_.matrix = problem_.facts;
        run_.accepted_backward_error = accepted_backward_error<T>(solve_);
        Seconds seconds;
        const Stopwatch factor_watch;
        factor();
        seconds.factor = factor_watch.seconds();
        run_.analysis = solver_.analysis();
        run_.factor = solver_.factors().report();
        if (can_solve_with(run_.factor->status)) {
            const Stopwatch solve_watch;
            run_.solve = solver_.solve(BlockView<const T>{rhs.b.data(), n, rhs.count, n},
                                       BlockView<T>{x.data(), n, rhs.count, n}, solve_);
            seconds.solve = solve_watch.seconds();
        }
        run_.solve_is_part = solve_.part != SolvePart::all;
        add_outcome(bench_, run_);
        return seconds;
    }

    /// Was the scaling kept, and, where the values may have changed the inertia, are inertia and
    /// verdict those of the same values analysed and factored from scratch?
    void judge(const SharedMatrix<T>& a) {
        NewValueFacts& facts = *bench_.new_values;
        if (const std::optional<bool> kept = scaling_kept(*run_.factor))
            ++(*kept ? facts.scalings_kept : facts.rescaled);
        if (change_ == ValueChange::congruence) return;
        Problem now = problem_;
        now.matrix = a;
        const RunFacts scratch = run_problem(line_, session_, now);
        ++facts.compared_with_scratch;
        if (verdict_of(run_) == verdict_of(scratch) && same_inertia(run_, scratch)) return;
        ++facts.other_than_from_scratch;
        bench_.exit_code = std::max<int>(bench_.exit_code, inaccurate);
    }

    static bool same_inertia(const RunFacts& a, const RunFacts& b) {
        const std::optional<Inertia>&left = a.factor->pivots.inertia, &right = b.factor->pivots.inertia;
        if (!left || !right) return left.has_value() == right.has_value();
        return left->negative == right->negative && left->zero == right->zero;
    }

    const CommandLine& line_;
    const Session& session_;
    const Problem& problem_;
    const SharedMatrix<T>& first_;
    ValueChange change_;
    FactorOptions factor_ = line_.options.factor;
    SolveOptions solve_ = line_.options.solve;
    Solver<T> solver_;
    RunFacts run_;
    BenchFacts bench_;
};

}  // namespace

BenchFacts bench_new_values(const CommandLine& line, const Session& session, const Problem& problem) {
    const StatusLine status("factoring other values of " + problem.facts.name);
    const CatchInterrupts caught;
    return std::visit(
        [&]<class T>(const SharedMatrix<T>& a) -> BenchFacts {
            if constexpr (is_built<T>())
                return Refactorizations<T>(line, session, problem, a).measured();
            else
                throw scalar_left_out(problem.facts);
        },
        problem.matrix);
}

void add_cold_times(BenchFacts& bench, const CommandLine& line, index_t matrix) {
    const StatusLine status("cold times of " + bench.matrix.name);
    for (index_t i = 0; i < line.repeat; ++i) {
        const ColdTimes times = cold_times_in_fresh_process(line, matrix);
        NewValueFacts& facts = *bench.new_values;
        bench.analysis.seconds.push_back(times.analysis);
        facts.first_factor.seconds.push_back(times.factor);
        if (!times.solved) continue;
        facts.cold.seconds.push_back(times.cold);
        facts.first_solve.seconds.push_back(times.solve);
    }
}

}  // namespace frond::cli
