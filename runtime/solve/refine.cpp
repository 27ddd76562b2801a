// SPDX-License-Identifier: BSD-3-Clause
#include "solve/refine.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/row_chunks.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

namespace frond {
namespace {

/// The columns of one block that are still being refined, packed to the left of three work blocks.
template <class T>
class RefinementBlock {
public:
    RefinementBlock(const LinearSystem<T>& system, index_t columns)
        : system_(system),
          n_(system.order()),
          trial_(allocate<T>(columns)),
          residual_(allocate<T>(columns)),
          weight_(allocate<real_t<T>>(columns)) {}

    /// Measures the solution given and starts with the columns that miss the target.
    void start(DenseView<const T> b, DenseView<T> x, double target, std::vector<BackwardError>& best) {
        active_.clear();
        for (index_t k = 0; k < x.cols; ++k) active_.push_back(k);
        const DenseView<T> r = view(residual_);
        system_.residual(x, b, r, weight_.get());
        best = error_ = system_.errors(x, b, r, weight_.get());
        keep_if([&](std::size_t p) { return error_[p].componentwise > target; });
    }

    bool done() const { return active_.empty(); }

    /// One step for the active columns.
    void step(DenseView<const T> b, const ApplyInverse<T>& inverse, DenseView<T> x, double target,
              std::vector<BackwardError>& best) {
        inverse(view(residual_));
        add_correction(x);
        measure(b);
        keep_if([&](std::size_t p) {
            BackwardError& old = best[static_cast<std::size_t>(active_[p])];
            const BackwardError now = error_[p];
            const bool halved = now.componentwise <= old.componentwise / 2;
            if (now.componentwise < old.componentwise) {
                old = now;
                copy(column(trial_, static_cast<count_t>(p)), x.column(active_[p]));
            }
            return halved && now.componentwise > target;
        });
    }

private:
    template <class U>
    std::unique_ptr<U[]> allocate(index_t columns) const {
        return std::make_unique_for_overwrite<U[]>(static_cast<std::size_t>(system_.order()) *
                                                   static_cast<std::size_t>(columns));
    }

    template <class U>
    U* column(const std::unique_ptr<U[]>& block, count_t p) const {
        return block.get() + p * n_;
    }

    DenseView<T> view(const std::unique_ptr<T[]>& block) const {
        const auto n = static_cast<index_t>(n_);
        return {block.get(), n, static_cast<index_t>(active_.size()), std::max(n, 1)};
    }

    void copy(const T* from, T* to) const noexcept { copy_rows(system_.parallel_for(), from, to, n_); }

    /// trial := x + M^-1 r
    void add_correction(DenseView<const T> x) {
        for_row_chunks(system_.parallel_for(), n_, static_cast<count_t>(active_.size()),
                       [&](count_t p, count_t begin, count_t end, count_t) {
                           const T* const xk = x.column(active_[static_cast<std::size_t>(p)]);
                           const T* const d = column(residual_, p);
                           T* const t = column(trial_, p);
                           for (count_t i = begin; i < end; ++i) t[i] = xk[i] + d[i];
                       });
    }

    /// Residuals and errors of the trial solutions. The active columns of B are packed into the
    /// residuals unless all are active.
    void measure(DenseView<const T> b) {
        const DenseView<T> r = view(residual_);
        const auto active = static_cast<index_t>(active_.size());
        const bool all = active == b.cols;
        for (index_t p = 0; p < active && !all; ++p) copy(b.column(active_[static_cast<std::size_t>(p)]), r.column(p));
        system_.residual(view(trial_), all ? b : r, r, weight_.get());
        error_.clear();
        for (index_t p = 0; p < active; ++p) {
            const DenseView<const T> bp = b.block(0, active_[static_cast<std::size_t>(p)], b.rows, 1);
            const auto n = static_cast<index_t>(n_);
            error_.push_back(
                system_.errors(view(trial_).block(0, p, n, 1), bp, r.block(0, p, n, 1), column(weight_, p))[0]);
        }
    }

    template <class Keep>
    void keep_if(Keep keep) {
        std::size_t kept = 0;
        for (std::size_t p = 0; p < active_.size(); ++p) {
            if (!keep(p)) continue;
            if (kept != p)
                copy(column(residual_, static_cast<count_t>(p)), column(residual_, static_cast<count_t>(kept)));
            active_[kept++] = active_[p];
        }
        active_.resize(kept);
    }

    const LinearSystem<T>& system_;
    count_t n_;
    std::unique_ptr<T[]> trial_;
    std::unique_ptr<T[]> residual_;
    std::unique_ptr<real_t<T>[]> weight_;
    std::vector<index_t> active_;  // column of the block at each packed place
    std::vector<BackwardError> error_;  // of the trial solutions, by packed place
};

void check_cancelled(const std::atomic<bool>* cancel) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
        throw Cancelled("the solve was cancelled during iterative refinement");
}

/// The block as wide as there is memory for.
template <class T>
std::unique_ptr<RefinementBlock<T>> widest_block(const LinearSystem<T>& system, index_t& width) {
    while (true) {
        try {
            return std::make_unique<RefinementBlock<T>>(system, width);
        } catch (const std::bad_alloc&) {
            if (width <= 1) throw;
            width = (width + 1) / 2;
        }
    }
}

/// False when memory was refused: X and `best` are as after the steps before.
template <class T>
bool try_step(RefinementBlock<T>& block, DenseView<const T> b, const ApplyInverse<T>& inverse, DenseView<T> x,
              double target, std::vector<BackwardError>& best) {
    try {
        block.step(b, inverse, x, target, best);
        return true;
    } catch (const std::bad_alloc&) {
    } catch (const OutOfMemory&) {
    }
    return false;
}

}  // namespace

void RefinementReport::append(const RefinementReport& further) {
    steps = std::max(steps, further.steps);
    krylov_iterations = std::max(krylov_iterations, further.krylov_iterations);
    normwise.insert(normwise.end(), further.normwise.begin(), further.normwise.end());
    componentwise.insert(componentwise.end(), further.componentwise.begin(), further.componentwise.end());
    converged.insert(converged.end(), further.converged.begin(), further.converged.end());
    ran_out_of_memory = ran_out_of_memory || further.ran_out_of_memory;
}

bool RefinementReport::all_converged() const {
    return std::all_of(converged.begin(), converged.end(), [](std::uint8_t c) { return c != 0; });
}

template <class T>
double refinement_target(double target) {
    return target > 0 ? target : 10 * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

template <class T>
RefinementReport refine(const LinearSystem<T>& system, DenseView<const T> b, const ApplyInverse<T>& inverse,
                        DenseView<T> x, const RefinementOptions& options) {
    FROND_EXPECTS(b.cols == x.cols && b.rows == system.order() && x.rows == system.order(),
                  "B and X must both be [n, nrhs]");
    FROND_EXPECTS(options.block_columns > 0, "block_columns must be positive");
    const double target = refinement_target<T>(options.target);
    index_t width = std::min(options.block_columns, x.cols);
    RefinementReport report;
    const auto room = widest_block<T>(system, width);
    RefinementBlock<T>& block = *room;
    std::vector<BackwardError> best;
    for (index_t first = 0; first < x.cols; first += width) {
        const index_t columns = std::min(width, x.cols - first);
        const DenseView<const T> b1 = b.block(0, first, b.rows, columns);
        const DenseView<T> x1 = x.block(0, first, x.rows, columns);
        block.start(b1, x1, target, best);
        for (index_t s = 0; s < options.max_steps && !block.done(); ++s) {
            check_cancelled(options.cancel);
            if (!try_step<T>(block, b1, inverse, x1, target, best)) {
                report.ran_out_of_memory = true;
                break;
            }
            report.steps = std::max(report.steps, s + 1);
        }
        for (const BackwardError& e : best) {
            report.normwise.push_back(e.normwise);
            report.componentwise.push_back(e.componentwise);
            report.converged.push_back(e.componentwise <= target);
        }
    }
    return report;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template double refinement_target<T>(double);                                                           \
    template RefinementReport refine<T>(const LinearSystem<T>&, DenseView<const T>, const ApplyInverse<T>&, \
                                        DenseView<T>, const RefinementOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
