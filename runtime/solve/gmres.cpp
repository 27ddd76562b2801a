// SPDX-License-Identifier: BSD-3-Clause
#include "solve/gmres.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/arnoldi.hpp"
#include "solve/row_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

namespace frond {
namespace {

/// Restarts of fewer rarely gain anything.
constexpr index_t fewest_vectors = 4;

/// Repairs one column at a time; its vectors are reused by the next.
template <class T>
class FlexibleGmres {
public:
    FlexibleGmres(const LinearSystem<T>& system, const ApplyInverse<T>& inverse, const GmresOptions& options,
                  index_t restart)
        : system_(system),
          inverse_(inverse),
          options_(options),
          target_(refinement_target<T>(options.target)),
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
        measure(b);
        accept();
        index_t iterations = 0;
        while (best.componentwise > target_ && iterations < options_.max_iterations) {
            const double before = best.componentwise;
            const index_t spent = cycle(options_.max_iterations - iterations);
            iterations += spent;
            if (spent == 0) break;
            add_correction(x);
            const BackwardError now = measure(b);
            if (now.componentwise < before) {
                best = now;
                copy(trial_.get(), x);
                accept();
            }
            if (!(now.componentwise <= before / 2)) break;
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
        const BackwardError error =
            system_.errors(as_column(trial_.get()), bv, as_column(residual_.get()), weight_.get())[0];
        system_.make_denominators(trial_.get(), b, weight_.get());
        return error;
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
        const double tolerance = std::max(target_ / 4, arnoldi_.residual_norm() * cycle_reduction());
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
    const ApplyInverse<T>& inverse_;
    const GmresOptions& options_;
    double target_;
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

/// With as many vectors as there is memory for; null: not even for a few.
template <class T>
std::unique_ptr<FlexibleGmres<T>> widest_gmres(const LinearSystem<T>& system, const ApplyInverse<T>& inverse,
                                               const GmresOptions& options) {
    for (index_t restart = options.restart; restart >= std::min(options.restart, fewest_vectors); restart /= 2) try {
            return std::make_unique<FlexibleGmres<T>>(system, inverse, options, restart);
        } catch (const std::bad_alloc&) {
        }
    return nullptr;
}

}  // namespace

template <class T>
count_t gmres_bytes(index_t order, index_t restart) {
    const count_t m = restart, sum = static_cast<count_t>(sizeof(Accumulator<T>));
    return (2 * m + 4) * order * static_cast<count_t>(sizeof(T)) + 2 * order * static_cast<count_t>(sizeof(real_t<T>)) +
           (m * (m + 5) + row_chunks(order) * (m + 1)) * sum;
}

template <class T>
void gmres(const LinearSystem<T>& system, DenseView<const T> b, const ApplyInverse<T>& inverse, DenseView<T> x,
           const GmresOptions& options, RefinementReport& report) {
    FROND_EXPECTS(options.restart > 0, "restart must be positive");
    FROND_EXPECTS(report.converged.size() == static_cast<std::size_t>(x.cols),
                  "the report must be of these right-hand sides");
    if (report.all_converged()) return;
    const auto solver = widest_gmres<T>(system, inverse, options);
    report.ran_out_of_memory = report.ran_out_of_memory || solver == nullptr;
    if (solver == nullptr) return;
    const double target = refinement_target<T>(options.target);
    for (index_t k = 0; k < x.cols; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (report.converged[at] != 0) continue;
        BackwardError best{report.normwise[at], report.componentwise[at]};
        bool refused = false;
        try {
            const index_t iterations = solver->improve(b.column(k), x.column(k), best);
            report.krylov_iterations = std::max(report.krylov_iterations, iterations);
        } catch (const std::bad_alloc&) {
            refused = true;
        } catch (const OutOfMemory&) {
            refused = true;
        }
        report.normwise[at] = best.normwise;
        report.componentwise[at] = best.componentwise;
        report.converged[at] = best.componentwise <= target;
        if (!refused) continue;
        report.ran_out_of_memory = true;
        return;
    }
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template count_t gmres_bytes<T>(index_t, index_t);                                                       \
    template void gmres<T>(const LinearSystem<T>&, DenseView<const T>, const ApplyInverse<T>&, DenseView<T>, \
                           const GmresOptions&, RefinementReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
