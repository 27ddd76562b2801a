// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/error.hpp"
#include "frond/base/loop_purpose.hpp"
#include "refinement/arnoldi.hpp"
#include "refinement/gmres.hpp"
#include "system/row_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace frond {

/// Repairs one column at a time; its vectors are reused by the next.
template <class T>
class FlexibleGmres {
public:
    FlexibleGmres(const LinearSystem<T>& system, const ApplyBlock<T>& inverse, const GmresOptions& options,
                  index_t restart)
        : system_(system),
          inverse_(inverse),
          options_(options),
          rule_{refinement_target<T>(options.target)},
          n_(system.order()),
          restart_(restart),
          arnoldi_(n_, restart, system.parallel_for()),
          z_(allocate<T>(restart)),
          trial_(allocate<T>(1)),
          residual_(allocate<T>(1)),
          weight_(allocate<real_t<T>>(1)),
          best_weight_(allocate<real_t<T>>(1)),
          best_residual_(allocate<T>(1)) {}

    /// Returns the iterations spent; x and best are replaced whenever the error falls.
    index_t improve(const T* b, T* x, BackwardError& best) {
        copy(x, trial_.get());
        best.excess = measure(b).excess;
        accept();
        index_t iterations = 0;
        while (!rule_.is_done(best) && iterations < options_.max_iterations) {
            const BackwardError before = best;
            const index_t spent = cycle(options_.max_iterations - iterations);
            iterations += spent;
            if (spent == 0) break;
            add_correction(x);
            const BackwardError now = measure(b);
            if (StepRule::is_accepted(now, before)) {
                best = now;
                copy(trial_.get(), x);
                accept();
            }
            if (!StepRule::has_halved(now, before)) break;
        }
        return iterations;
    }

private:
    template <class U>
    std::unique_ptr<U[]> allocate(count_t columns) const {
        return std::make_unique_for_overwrite<U[]>(static_cast<std::size_t>(n_ * columns));
    }

    void copy(const T* from, T* to) const noexcept { copy_rows(system_.parallel_for(), from, to, n_); }

    /// body(i) for all rows
    template <class Body>
    void for_rows(const Body& body) const {
        const LoopPurpose purpose("gmres");
        for_row_chunks(system_.parallel_for(), n_, 1, [&](count_t, count_t begin, count_t end, count_t) {
            for (count_t i = begin; i < end; ++i) body(i);
        });
    }

    T* z(index_t k) { return z_.get() + k * n_; }

    DenseView<T> as_column(T* v) const {
        const auto n = static_cast<index_t>(n_);
        return {v, n, 1, std::max(n, 1)};
    }

    /// r and denominators of the trial solution.
    BackwardError measure(const T* b) {
        const auto n = static_cast<index_t>(n_);
        const DenseView<const T> bv{b, n, 1, std::max(n, 1)};
        system_.residual(as_column(trial_.get()), bv, as_column(residual_.get()), weight_.get());
        const ResidualSizes size =
            residual_sizes<T>(system_, as_column(trial_.get()), bv, as_column(residual_.get()), weight_.get())[0];
        make_denominators(system_, trial_.get(), b, weight_.get());
        return backward_error(size, system_.norm(), options_.perturbed);
    }

    void accept() {
        residual_.swap(best_residual_);
        weight_.swap(best_weight_);
        for_rows([this](count_t i) {
            if (best_weight_[i] == 0) best_weight_[i] = 1;
        });
    }

    /// Builds the Krylov space of W^-1 op(A) M^-1 W from W^-1 r; returns its dimension.
    index_t cycle(index_t limit) {
        T* const u = arnoldi_.vector(0);
        for_rows([&](count_t i) { u[i] = best_residual_[i] / best_weight_[i]; });
        if (!arnoldi_.start()) return 0;
        const double tolerance = std::max(rule_.target / 4, arnoldi_.residual_norm() * cycle_reduction());
        limit = std::min(limit, restart_);
        while (arnoldi_.size() < limit) {
            check_cancelled();
            const index_t k = arnoldi_.size();
            T* const zk = z(k);
            const T* const vk = arnoldi_.vector(k);
            for_rows([&](count_t i) { zk[i] = best_weight_[i] * vk[i]; });
            inverse_(as_column(zk));
            T* const w = arnoldi_.vector(k + 1);
            system_.multiply(zk, w);
            for_rows([&](count_t i) { w[i] /= best_weight_[i]; });
            if (!arnoldi_.extend() || arnoldi_.residual_norm() <= tolerance) break;
        }
        return arnoldi_.size();
    }

    /// The recurrence's residual is not trusted below this share of the true one.
    static double cycle_reduction() {
        return std::pow(static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()), 2.0 / 3.0);
    }

    /// trial := x + Z y
    void add_correction(const T* x) {
        const auto y = arnoldi_.solve();
        const LoopPurpose purpose("gmres");
        for_row_chunks(system_.parallel_for(), n_, 1, [&](count_t, count_t begin, count_t end, count_t) {
            std::copy_n(x + begin, end - begin, trial_.get() + begin);
            for (index_t k = 0; k < arnoldi_.size(); ++k) {
                const T factor(y[static_cast<std::size_t>(k)]);
                const T* const zk = z(k);
                for (count_t i = begin; i < end; ++i) trial_[i] += factor * zk[i];
            }
        });
    }

    void check_cancelled() const {
        if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed))
            throw Cancelled("the solve was cancelled during GMRES");
    }

    const LinearSystem<T>& system_;
    const ApplyBlock<T>& inverse_;
    const GmresOptions& options_;
    StepRule rule_;
    count_t n_;
    index_t restart_;
    Arnoldi<T> arnoldi_;
    std::unique_ptr<T[]> z_;
    std::unique_ptr<T[]> trial_;
    std::unique_ptr<T[]> residual_;
    std::unique_ptr<real_t<T>[]> weight_;
    std::unique_ptr<real_t<T>[]> best_weight_;
    std::unique_ptr<T[]> best_residual_;
};

}  // namespace frond
