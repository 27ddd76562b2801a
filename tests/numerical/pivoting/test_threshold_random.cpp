// SPDX-License-Identifier: BSD-3-Clause
// 10,000 small systems over all types and options: no wrong answer without a status.
#include "child_process.hpp"
#include "determinant_oracle.hpp"
#include "error_oracle.hpp"
#include "frond/frond.hpp"
#include "random_hard_system.hpp"
#include "rank_oracle.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// One worker: on few cores the tasks are too small for more, and what differs is tested elsewhere.
const Session& one_worker() {
    four_workers();
    static const Session session(SessionOptions{.cpu_workers = 1});
    return session;
}

DenseMatrix scaled(DenseMatrix a, const Scaling& scaling) {
    if (scaling.row.empty()) return a;
    for (index_t j = 0; j < a.cols; ++j)
        for (index_t i = 0; i < a.rows; ++i)
            a(i, j) *= static_cast<long double>(scaling.row[static_cast<std::size_t>(i)]) *
                       static_cast<long double>(scaling.column[static_cast<std::size_t>(j)]);
    return a;
}

/// Found by trial over the 10,000 systems: the true componentwise error of solutions that converged to 450 eps, which
/// is judged against the norm of a row where its terms are tiny.
constexpr double converged_in_eps = 4100;

struct Counts {
    count_t success = 0, singular = 0, perturbed = 0, delayed = 0, second_pass = 0, definite = 0, unrefined = 0,
            inertias = 0;
};

template <class T>
class StressCheck {
public:
    explicit StressCheck(std::uint64_t seed)
        : system_(random_hard_system<T>(seed)),
          given_(system_.long_indices ? from_triplets<T, std::int64_t>(system_.matrix, Random(seed)) : system_.matrix),
          analysed_(analyze(given_, system_.analysis)),
          factors_(factorize(one_worker(), remapped(*analysed_.analysis, system_.mapping), given_, system_.factor,
                             &analysed_.scaling)),
          report_(factors_.report()),
          a_(dense(system_.matrix)),
          b_(RhsBlock<T>::random(a_.rows, system_.rhs, seed)),
          x_(a_.rows, system_.rhs) {}

    void run(Counts& counts) {
        if (report_.status == FactorStatus::not_positive_definite) {  // or not beyond rounding
            CHECK(is_nearly_singular(1));
            return;
        }
        const SolveReport solved = solve(factors_, std::as_const(b_).view(), x_.view(), system_.solve);
        const bool converged = solved.status == SolveStatus::converged;
        const double true_error = error();
        INFO("u ", system_.factor.pivot_threshold, ", error ", solved.componentwise_backward_error, ", true ",
             true_error);
        if (converged) CHECK(true_error <= converged_in_eps * epsilon<T>());
        check_told(solved.componentwise_backward_error, true_error);
        counts.delayed += report_.pivots.delayed;
        counts.second_pass += report_.pivots.second_pass;
        check_status(converged, counts);
        check_inertia(counts);
    }

private:
    /// The error said to be there is rounded: sums of up to n + 2 terms above and below.
    void check_told(double told, double true_error) const {
        if (std::isfinite(told)) CHECK(true_error <= 1.1 * told + 4 * (a_.rows + 2) * epsilon<T>());
    }

    void check_status(bool converged, Counts& counts) const {
        const bool tested = report_.pivoting == Pivoting::threshold;
        const bool refined = system_.solve.max_refinement_steps > 0;
        // At roots u counts as 0.35 at most, for complex scalars (cpu/threshold.hpp).
        const double largest = std::max(1 / system_.factor.pivot_threshold, 2.9);
        CHECK(report_.pivots.largest_l <= (tested ? largest * (1 + 100 * epsilon<T>()) : 0));
        if (system_.definite) {
            ++counts.definite;
            CHECK(report_.status == FactorStatus::success);
            CHECK((converged || !refined));
        } else if (report_.status == FactorStatus::success) {
            ++counts.success;
            if (tested && refined && !converged) CHECK(is_nearly_singular(1));
            if (system_.strictly) CHECK_NOTHROW(factor_strictly());
        } else if (report_.status == FactorStatus::singular) {
            ++counts.singular;
            if (tested) check_singular();
            if (system_.strictly) CHECK_THROWS_AS(factor_strictly(), SingularMatrix);
        } else {
            ++counts.perturbed;
            CHECK(report_.status == FactorStatus::perturbed);
            CHECK_FALSE(tested);
        }
        counts.unrefined += !refined && !converged;
    }

    /// Null pivots as an error.
    void factor_strictly() const {
        FactorOptions strict = system_.factor;
        strict.null_pivots = NullPivots::error;
        factorize(one_worker(), remapped(*analysed_.analysis, system_.mapping), given_, strict, &analysed_.scaling);
    }

    double error() const {
        const Operation op = system_.solve.operation;
        const Scaling& s = analysed_.scaling;
        return relaxed_componentwise_error(apply_operation(a_, op), widened(x_), widened(b_),
                                           op == Operation::none ? s.column : s.row, epsilon<T>());
    }

    /// The scaled matrix is close to one of rank n - nullity.
    bool is_nearly_singular(std::size_t nullity) const {
        const std::vector<double> pivots = complete_pivots(scaled(a_, analysed_.scaling));
        const double limit = 1e3 * a_.rows * epsilon<T>() * pivots.front();
        return nullity <= pivots.size() && pivots[pivots.size() - nullity] <= limit;
    }

    void check_singular() const {
        const std::size_t null = report_.pivots.small_columns.size();
        CHECK(report_.pivots.null_rows.size() == null);
        if (analysed_.analysis->report.structural_rank == a_.rows) CHECK(null > 0);
        CHECK(is_nearly_singular(std::max<std::size_t>(null, 1)));
    }

    /// Eigenvalues of the scaled matrix that rounding cannot take across zero have the signs told; where
    /// all are such, the inertia is exact.
    void check_inertia(Counts& counts) const {
        if (!report_.pivots.inertia) return;
        ++counts.inertias;
        const Inertia told = *report_.pivots.inertia;
        const Inertia clear = dense_inertia(scaled(a_, analysed_.scaling), 1e3 * a_.rows * epsilon<T>());
        CHECK(told.negative + told.zero + told.positive == a_.rows);
        CHECK(told.negative >= clear.negative);
        CHECK(told.positive >= clear.positive);
    }

    RandomHardSystem<T> system_;
    SparseMatrix<T> given_;
    AnalysisResult analysed_;
    Factors<T> factors_;
    const FactorReport& report_;
    DenseMatrix a_;
    RhsBlock<T> b_, x_;
};

template <class T>
void check_many(std::uint64_t count) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        INFO("seed ", seed, ", ", is_complex<T> ? "complex" : "real", ", bytes ", sizeof(T));
        StressCheck<T>(seed).run(counts);
    }
    // Each outcome is common enough that the checks above were made.
    const auto some = static_cast<count_t>(count) / 20;
    CHECK(counts.success > some);
    CHECK(counts.singular > some);
    CHECK(counts.perturbed > some / 5);
    CHECK(counts.definite > some);
    CHECK(counts.unrefined > some / 10);
    CHECK(counts.inertias > 2 * some);
    CHECK(counts.delayed > some);
    CHECK(counts.second_pass > counts.delayed);
}

template <class... T>
void check_all(std::tuple<T...>) {
    (check_many<T>(10000 / sizeof...(T)), ...);
}

}  // namespace

TEST_CASE("child: small systems over all types and options" * doctest::skip()) { check_all(Scalars{}); }

TEST_CASE("10000 small systems over all types and options: no wrong answer without a status") {
    CHECK(run_case_in_child("child: small systems over all types and options", {}, 500) == 0);
}
