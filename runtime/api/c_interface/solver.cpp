// SPDX-License-Identifier: BSD-3-Clause
#include "solver.hpp"

#include "checked_structures.hpp"
#include "driver/driver.hpp"
#include "factors/state_of.hpp"
#include "guarded.hpp"
#include "matrix_views.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/null_space.hpp"
#include "session/ranked_session.hpp"

#include <complex>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace frond::c_interface {
namespace {

template <class T>
class SolverOf final : public frond_solver {
public:
    explicit SolverOf(const Session& session) : session_(session), ranks_(detail::ranks_of(session)) {
        if (ranks_ != nullptr) rank_ = ranks_->ranks().rank();
    }

    bool is_on_ranks() const override { return ranks_ != nullptr; }

    /// In the solver or, before there is one, where it is made.
    void meet(const char* call, std::exception_ptr error) const override {
        if (solver_) return detail::StateAccess::of(*solver_).meet(call, std::move(error));
        if (ranks_ != nullptr) return ranks_->meet(call, std::move(error));
        if (error != nullptr) std::rethrow_exception(std::move(error));
    }

    void analyze(const frond_matrix& a) override {
        last_solve_.reset();
        with_checked_view(a, [&](const auto& view) { new_solver("frond_analyze").analyze(view); });
    }

    void factor(const frond_matrix& a) override {
        last_solve_.reset();
        begin_job();
        with_checked_view(a, [&](const auto& view) {
            Solver<T>& solver = solver_ ? *solver_ : solver_.emplace(session_, options.analysis);
            solver.factor(view, options.factor);
        });
    }

    void factor_dense(const frond_dense_matrix& a) override {
        last_solve_.reset();
        begin_job();
        const DenseMatrixView<T> view = checked([&] { return dense_view(a); });
        new_solver("frond_factor_dense").factor(view, options.factor);
    }

    static DenseMatrixView<T> dense_view(const frond_dense_matrix& a) {
        DenseMatrixView<T> view{a.order, static_cast<const T*>(a.value), a.ld};
        view.symmetry = checked_enum(a.symmetry, Symmetry::skew_symmetric, "symmetry");
        view.stored = checked_enum(a.triangle, Triangle::upper, "triangle");
        view.layout = {a.row_block, a.column_block, a.process_rows == 0 ? 1 : a.process_rows,
                       a.process_columns == 0 ? 1 : a.process_columns};
        const auto map_of = [](const int32_t* map, int64_t count) -> std::optional<std::span<const index_t>> {
            if (map == nullptr) return std::nullopt;
            FROND_EXPECTS(count >= 0,
                          "a map of the dense matrix has " + std::to_string(count) + " numbers; give 0 or more");
            return std::span(map, static_cast<std::size_t>(count));
        };
        view.row_map = map_of(a.row_map, a.rows);
        view.column_map = map_of(a.column_map, a.columns);
        return view;
    }

    void factor_values(const void* values, int64_t count) override {
        checked([&] {
            FROND_EXPECTS(solver_, "nothing was analysed: call frond_analyze");
            FROND_EXPECTS(count >= 0, "count = " + std::to_string(count) + " is negative; give the number of values");
        });
        last_solve_.reset();
        begin_job();
        solver_->factor_values({static_cast<const T*>(values), static_cast<std::size_t>(count)}, options.factor);
    }

    void solve(int64_t rhs, const void* b, int64_t ldb, void* x, int64_t ldx) override {
        checked([&] { expect_factors("nothing to solve with: call frond_factor"); });
        begin_job();
        const bool has_rows = rank_ == 0 && solver_->analysis() != nullptr;  // with a communicator rank 0 has them all
        const count_t n = has_rows ? solver_->analysis()->order : 0;
        last_solve_.emplace(solver_->solve(BlockView<const T>{static_cast<const T*>(b), n, rhs, ldb},
                                           BlockView<T>{static_cast<T*>(x), n, rhs, ldx}, options.solve));
    }

    void solve_rows(int64_t rhs, const frond_block_rows& b, const frond_block_rows& x) override {
        begin_job();
        const auto [b_rows, x_rows] = checked([&] {
            FROND_EXPECTS(solver_, "nothing to solve with: call frond_factor");
            return std::pair(row_numbers(b), row_numbers(x));
        });
        const auto map = [](const frond_block_rows& block, const std::vector<index_t>& rows) {
            return block.row != nullptr ? rows.data() : nullptr;
        };
        last_solve_.emplace(
            solver_->solve(BlockView<const T>{static_cast<const T*>(b.data), b.rows, rhs, b.ld, map(b, b_rows)},
                           BlockView<T>{static_cast<T*>(x.data), x.rows, rhs, x.ld, map(x, x_rows)}, options.solve));
    }

    frond_analysis_report analysis_report() const override;

    const FactorReport& factor_report() const override {
        expect_factors("nothing was factored: call frond_factor");
        return solver_->factor_report();
    }

    const SolveReport& solve_report() const override {
        FROND_EXPECTS(last_solve_, "nothing was solved since the last frond_factor: call frond_solve");
        return *last_solve_;
    }

    void log_determinant(double* log_abs, double phase[2]) const override {
        const auto determinant = factored().log_determinant();
        FROND_EXPECTS(determinant, "perturbed or null pivots: the determinant is not known");
        if (log_abs) *log_abs = determinant->log_abs;
        if (!phase) return;
        const std::complex<double> unit(determinant->phase);
        phase[0] = unit.real();
        phase[1] = unit.imag();
    }

    ConditionEstimate condition() const override { return factored().condition(&cancel_requested); }

    int64_t null_space(bool left, void* basis, int64_t capacity, double* residual) const override {
        const NullSpace<T> space =
            factored().null_vectors(left ? Operation::adjoint : Operation::none, &cancel_requested);
        if (residual) *residual = space.residual;
        if (basis && capacity >= space.dimension)
            std::copy(space.basis.begin(), space.basis.end(), static_cast<T*>(basis));
        return space.dimension;
    }

    void save_analysis(const char* path) const override {
        meet_after("frond_save_analysis", [&] {
            if (rank_ > 0) return;
            expect_pointer(path, "path");
            FROND_EXPECTS(solver_ && solver_->analysis(), "nothing was analysed: call frond_analyze");
            frond::save_analysis(*solver_->analysis(), path);
        });
    }

    void load_analysis(const char* path) override {
        std::shared_ptr<const Analysis> analysis;
        meet_after("frond_load_analysis", [&] {
            expect_pointer(path, "path");
            analysis = frond::load_analysis(path);
        });
        last_solve_.reset();
        options.analysis = analysis->options;
        solver_.emplace(session_, options.analysis).use(std::move(analysis));
    }

private:
    /// What one rank cannot do, no rank has done.
    template <class Body>
    void meet_after(const char* call, const Body& body) const {
        std::exception_ptr error;
        try {
            body();
        } catch (...) {
            error = std::current_exception();
        }
        meet(call, std::move(error));
    }

    /// In place of the one there is, in which the others may make another call.
    Solver<T>& new_solver(const char* call) {
        if (solver_) meet(call, nullptr);
        return solver_.emplace(session_, options.analysis);
    }

    /// call(view); what is wrong with the structure itself is found before.
    template <class Call>
    void with_checked_view(const frond_matrix& a, const Call& call) const {
        std::function<void()> bound;
        checked([&] { with_view<T>(a, [&](const auto& view) { bound = [&call, view] { call(view); }; }); });
        bound();
    }

    void expect_factors(const char* otherwise) const {
        FROND_EXPECTS(solver_ && (solver_->factors() || is_on_ranks()), otherwise);
    }

    const Solver<T>& factored() const {
        checked([&] { expect_factors("nothing was factored: call frond_factor"); });
        return *solver_;
    }

    Session session_;
    std::shared_ptr<detail::RankedSession> ranks_;  // null: no communicator
    index_t rank_ = 0;
    std::optional<Solver<T>> solver_;
    std::optional<SolveReport> last_solve_;
};

template <class T>
frond_analysis_report SolverOf<T>::analysis_report() const {
    FROND_EXPECTS(solver_, "nothing was analysed: call frond_analyze");
    const AnalysisReport& report = solver_->analysis_report();
    frond_analysis_report r{};
    r.seconds = report.seconds;
    copy_text(to_string(report.ordering), r.ordering);
    r.matched = report.matched;
    r.distributed = report.distributed;
    r.structural_rank = report.structural_rank;
    r.pairs = report.pairs;
    r.duplicates_summed = solver_->input_report().duplicates_summed;
    r.one_triangle = static_cast<int64_t>(solver_->input_report().one_triangle);
    if (solver_->analysis() == nullptr) return r;  // rank 0 knows more
    const Analysis& analysis = *solver_->analysis();
    r.order = analysis.order;
    r.entries = analysis.entries;
    copy_text(to_string(analysis.factorization), r.factorization);
    r.fronts = analysis.tree.front_count();
    r.subtrees = static_cast<int64_t>(analysis.mapping.subtrees.size());
    r.flops = analysis.cost.flops * (is_complex<T> ? 4 : 1);
    r.factor_entries = analysis.cost.factor_entries;
    r.peak_bytes_predicted = predicted_peak_bytes<T>(analysis);
    r.solve_bytes_predicted = predicted_solve_bytes<T>(analysis);
    return r;
}

}  // namespace

std::unique_ptr<frond_solver> make_solver(const Session& session, frond_scalar scalar) {
    const auto named = [scalar](char letter) { return static_cast<int>(scalar) == letter; };
#define FROND_MAKE_SOLVER(T)                                                                                  \
    {                                                                                                         \
        constexpr char letter = is_complex<T> ? (sizeof(T) == 16 ? 'z' : 'c') : (sizeof(T) == 8 ? 'd' : 's'); \
        if (named(letter)) return std::make_unique<SolverOf<T>>(session);                                     \
    }
    FROND_FOR_EACH_SCALAR(FROND_MAKE_SOLVER)
#undef FROND_MAKE_SOLVER
    const bool known = named('s') || named('d') || named('c') || named('z');
    throw InvalidArgument(known ? "this build of Frond leaves this scalar out (FROND_SCALARS)"
                                : "scalar = " + std::to_string(static_cast<int>(scalar)) +
                                      " is not one of FROND_FLOAT, FROND_DOUBLE, "
                                      "FROND_COMPLEX_FLOAT, FROND_COMPLEX_DOUBLE");
}

}  // namespace frond::c_interface
