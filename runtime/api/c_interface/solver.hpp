// SPDX-License-Identifier: BSD-3-Clause
// The handles of the C interface. Internal.
#pragma once

#include "frond/condition.hpp"
#include "frond/frond.h"
#include "frond/option_table.hpp"
#include "frond/session.hpp"
#include "frond/solver.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <string_view>

struct frond_session {
    frond::Session session;
};

/// A solver of one scalar type behind one face.
struct frond_solver {
    frond_solver() = default;
    frond_solver(const frond_solver&) = delete;
    frond_solver& operator=(const frond_solver&) = delete;
    virtual ~frond_solver() = default;

    virtual void analyze(const frond_matrix& a) = 0;
    virtual void factor(const frond_matrix& a) = 0;
    virtual void factor_dense(const frond_dense_matrix& a) = 0;
    virtual void factor_values(const void* values, int64_t count) = 0;
    virtual void solve(int64_t rhs, const void* b, int64_t ldb, void* x, int64_t ldx) = 0;
    virtual void solve_rows(int64_t rhs, const frond_block_rows& b, const frond_block_rows& x) = 0;
    /// The session has a communicator.
    virtual bool is_on_ranks() const = 0;
    /// Where a rank may make another call, or has found an error: all ranks throw then.
    virtual void meet(const char* call, std::exception_ptr error) const = 0;
    /// What find() gives, which looks at what this rank has given before its call meets those of others. What it throws,
    /// all ranks throw.
    template <class Find>
    auto checked(const Find& find) const {
        try {
            return find();
        } catch (...) {
            meet("one that is refused", std::current_exception());
            throw;
        }
    }
    virtual frond_analysis_report analysis_report() const = 0;
    virtual const frond::FactorReport& factor_report() const = 0;
    virtual const frond::SolveReport& solve_report() const = 0;
    virtual void log_determinant(double* log_abs, double phase[2]) const = 0;
    virtual frond::ConditionEstimate condition() const = 0;
    /// The dimension; basis and residual may be null.
    virtual int64_t null_space(bool left, void* basis, int64_t capacity, double* residual) const = 0;

    virtual void save_analysis(const char* path) const = 0;
    virtual void load_analysis(const char* path) = 0;

    frond::Options options;
    std::atomic<bool> cancel{false};  // what jobs look at; the progress function sets it, too
    std::atomic<bool> cancel_requested{false};  // by frond_solver_cancel, until that takes it back

    /// Called before a job. A request that comes meanwhile sets `cancel` after its own flag, so
    /// that it is not lost.
    void begin_job() {
        cancel = false;
        if (cancel_requested) cancel = true;
        options.factor.cancel = &cancel;
        options.solve.cancel = &cancel;
    }
};

namespace frond::c_interface {

/// Throws InvalidArgument for a scalar that is unknown or that this build leaves out.
std::unique_ptr<frond_solver> make_solver(const Session& session, frond_scalar scalar);

}  // namespace frond::c_interface
