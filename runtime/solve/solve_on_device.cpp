// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_on_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "solve/largest_magnitude.hpp"

namespace frond::detail {
namespace {

/// Some right-hand sides at once; each column stops by itself, as in refine().
template <class T>
class ColumnsOnDevice {
public:
    ColumnsOnDevice(gpu::ResidentSolve<T>& device, double& seconds) : device_(device), seconds_(seconds) {}

    /// Columns first .. first + count. False: a solution is not finite.
    bool run(const CallersBlocks<T>& blocks, index_t first, index_t count, const RefinementOptions& options,
             RefinementReport& report) {
        const double target = refinement_target<T>(options.target);
        device_.take_right_hand_sides(blocks.b().block(0, first, blocks.b().rows, count), blocks.b_place());
        correct(true);
        best_ = measure();
        if (!std::all_of(best_.begin(), best_.end(),
                         [](const BackwardError& e) { return std::isfinite(e.componentwise); }))
            return false;
        active_.assign(best_.size(), true);
        device_.adopt(0, count);
        for (std::size_t q = 0; q < best_.size(); ++q) active_[q] = best_[q].componentwise > target;
        for (index_t s = 0; s < options.max_steps && any_active(); ++s) {
            if (options.cancel != nullptr && options.cancel->load())
                throw Cancelled("the solve was cancelled during iterative refinement");
            step(target);
            report.steps = std::max(report.steps, s + 1);
        }
        device_.give_solutions(blocks.x().block(0, first, blocks.x().rows, count), blocks.x_place());
        add_to(report, target);
        return true;
    }

private:
    void correct(bool first) {
        const auto start = std::chrono::steady_clock::now();
        device_.correct(first);
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    std::vector<BackwardError> measure() {
        std::vector<BackwardError> errors;
        for (const gpu::ResidualSizes& s : device_.measure()) {
            Largest normwise, componentwise;
            normwise.see(std::isfinite(s.x) ? trusted_quotient(s.r, device_.norm() * s.x + s.b) : s.x);
            componentwise.see(std::isfinite(s.x) ? s.componentwise : s.x);
            errors.push_back({normwise.value(), componentwise.value()});
        }
        return errors;
    }

    bool any_active() const { return std::find(active_.begin(), active_.end(), true) != active_.end(); }

    void step(double target) {
        correct(false);
        const std::vector<BackwardError> now = measure();
        for (std::size_t q = 0; q < now.size(); ++q) {
            if (!active_[q]) continue;
            const bool halved = now[q].componentwise <= best_[q].componentwise / 2;
            if (now[q].componentwise < best_[q].componentwise) {
                best_[q] = now[q];
                device_.adopt(static_cast<index_t>(q), 1);
            }
            active_[q] = halved && now[q].componentwise > target;
        }
    }

    void add_to(RefinementReport& report, double target) const {
        for (const BackwardError& e : best_) {
            report.normwise.push_back(e.normwise);
            report.componentwise.push_back(e.componentwise);
            report.converged.push_back(e.componentwise <= target);
        }
    }

    gpu::ResidentSolve<T>& device_;
    double& seconds_;
    std::vector<BackwardError> best_;
    std::vector<bool> active_;
};

}  // namespace

template <class T>
std::optional<RefinementReport> solve_on_device(const FactorsState<T>& state, const CallersBlocks<T>& blocks,
                                                const SolveOptions& options, double& substitution_seconds) {
    const index_t rhs = blocks.x().cols;
    const auto lease = state.device_solve().lease(rhs);
    gpu::ResidentSolve<T>* const device = lease.get();
    if (device == nullptr) return std::nullopt;
    const Operation op = is_symmetric(state.kind()) ? Operation::none : options.operation;
    state.device_solve().send_system(*device, op);
    if (blocks.stream() != nullptr) device->follow(*blocks.stream());
    RefinementOptions refinement;
    refinement.max_steps = options.max_refinement_steps;
    refinement.target = options.target_backward_error;
    refinement.cancel = options.cancel;
    RefinementReport report;
    ColumnsOnDevice<T> columns(*device, substitution_seconds);
    for (index_t first = 0; first < rhs; first += device->largest_rhs())
        if (!columns.run(blocks, first, std::min(device->largest_rhs(), rhs - first), refinement, report))
            return std::nullopt;
    return report;
}

#define FROND_INSTANTIATE(T)                                                                                     \
    template std::optional<RefinementReport> solve_on_device<T>(const FactorsState<T>&, const CallersBlocks<T>&, \
                                                                const SolveOptions&, double&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
