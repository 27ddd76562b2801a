// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/refine.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

namespace frond {
namespace {

void check_cancelled(const std::atomic<bool>* cancel) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
        throw Cancelled("the solve was cancelled during iterative refinement");
}

/// A block of right-hand sides, from its first solutions to the best ones.
class RefinedBlock {
public:
    RefinedBlock(RefinedSystem& system, const RefinementOptions& options)
        : system_(system), rule_{options.target}, perturbed_(options.perturbed) {}

    /// False: a solution is not finite.
    bool start(index_t first, index_t count) {
        system_.take(first, count);
        active_.resize(at(count));
        std::iota(active_.begin(), active_.end(), 0);
        best_ = errors();
        system_.accept(active_);
        std::erase_if(active_, [this](index_t q) { return rule_.is_done(best_[at(q)]); });
        return std::all_of(best_.begin(), best_.end(),
                           [](const BackwardError& e) { return std::isfinite(e.componentwise); });
    }

    bool is_done() const { return active_.empty(); }

    /// False when memory was refused: solutions and errors are as after the steps before.
    bool try_step() {
        try {
            step();
            return true;
        } catch (const std::bad_alloc&) {
        } catch (const OutOfMemory&) {
        }
        return false;
    }

    void finish(RefinementReport& report) {
        system_.give();
        for (const BackwardError& e : best_) {
            report.normwise.push_back(e.normwise);
            report.componentwise.push_back(e.told());
            report.pure.push_back(e.pure);
            report.converged.push_back(rule_.is_done(e));
        }
    }

private:
    /// The errors of the trial solutions, in the order of active_.
    std::vector<BackwardError> errors() {
        std::vector<BackwardError> errors;
        errors.reserve(active_.size());
        for (const ResidualSizes& size : system_.measure(active_))
            errors.push_back(backward_error(size, system_.norm(), perturbed_));
        return errors;
    }

    void step() {
        system_.correct(active_);
        const std::vector<BackwardError> now = errors();
        std::vector<index_t> better;
        for (std::size_t p = 0; p < active_.size(); ++p)
            if (StepRule::is_accepted(now[p], best_[at(active_[p])])) better.push_back(active_[p]);
        if (!better.empty()) system_.accept(better);
        std::size_t kept = 0;
        for (std::size_t p = 0; p < active_.size(); ++p) {
            BackwardError& best = best_[at(active_[p])];
            const bool goes_on = StepRule::has_halved(now[p], best) && !rule_.is_done(now[p]);
            if (StepRule::is_accepted(now[p], best)) best = now[p];
            if (goes_on) active_[kept++] = active_[p];
        }
        active_.resize(kept);
    }

    RefinedSystem& system_;
    StepRule rule_;
    bool perturbed_;
    std::vector<index_t> active_;  // columns that are still refined
    std::vector<BackwardError> best_;  // of all columns
};

}  // namespace

void RefinementReport::append(const RefinementReport& further) {
    steps = std::max(steps, further.steps);
    krylov_iterations = std::max(krylov_iterations, further.krylov_iterations);
    normwise.insert(normwise.end(), further.normwise.begin(), further.normwise.end());
    componentwise.insert(componentwise.end(), further.componentwise.begin(), further.componentwise.end());
    pure.insert(pure.end(), further.pure.begin(), further.pure.end());
    converged.insert(converged.end(), further.converged.begin(), further.converged.end());
    ran_out_of_memory = ran_out_of_memory || further.ran_out_of_memory;
    overflowed = overflowed || further.overflowed;
}

void RefinementReport::reserve(index_t columns) {
    normwise.reserve(at(columns));
    componentwise.reserve(at(columns));
    pure.reserve(at(columns));
    converged.reserve(at(columns));
}

bool RefinementReport::all_converged() const {
    return std::all_of(converged.begin(), converged.end(), [](std::uint8_t c) { return c != 0; });
}

bool RefinementReport::needs_gmres(double accepted_error) const {
    return std::any_of(componentwise.begin(), componentwise.end(),
                       [&](double error) { return !(error <= accepted_error); });
}

template <class T>
double refinement_target(double target) {
    return target > 0 ? target : 10 * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

RefinementReport refine(RefinedSystem& system, const RefinementOptions& options) {
    FROND_EXPECTS(options.block_columns > 0, "block_columns must be positive");
    FROND_EXPECTS(options.target > 0, "the target must be positive");
    RefinementReport report;
    system.together([&] { report.reserve(system.columns()); });
    RefinedBlock block(system, options);
    const index_t width = std::min(options.block_columns, system.most_at_once());
    const auto check = [&] { system.together([&] { check_cancelled(options.cancel); }); };
    for (index_t first = 0; first < system.columns(); first += width) {
        check();
        const bool finite = block.start(first, std::min(width, system.columns() - first));
        report.overflowed = !finite && options.ends_at_overflow;
        if (report.overflowed) return report;
        for (index_t s = 0; s < options.max_steps && !block.is_done(); ++s) {
            check();
            if (!block.try_step()) {
                report.ran_out_of_memory = true;
                break;
            }
            report.steps = std::max(report.steps, s + 1);
        }
        block.finish(report);
    }
    return report;
}

#define FROND_INSTANTIATE(T) template double refinement_target<T>(double);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond
