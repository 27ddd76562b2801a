// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "session/parallel_for.hpp"
#include "solve/block_views.hpp"
#include "substitution/branches/ready_branches.hpp"
#include "substitution/device_columns.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {
namespace {

/// Solves and refines on the device; as many right-hand sides as have room make one task. Empty: it was not done.
template <class T>
std::optional<RefinementReport> refine_on_device(const FactorsState<T>& state, CallersBlocks<T>& blocks,
                                                 const SolveOptions& options, double& substitution_seconds) {
    const auto lease = state.device_solve().lease(blocks.x().cols, options.place);
    gpu::ResidentSolve<T>* const device = lease.get();
    if (device == nullptr) return std::nullopt;
    state.device_solve().send_system(*device, is_symmetric(state.kind()) ? Operation::none : options.operation);
    if (blocks.stream() != nullptr) device->follow(*blocks.stream());
    RefinementOptions refinement = refinement_options<T>(options, state.report.status);
    refinement.block_columns = device->largest_rhs();
    refinement.ends_at_overflow = true;
    RefinementReport report;
    const index_t rhs = blocks.x().cols, most = device->largest_rhs();
    // A solution that is not finite shows what is wrong with B on the device, but not after other parts of X are written.
    if (rhs > most && blocks.b_place() == gpu::MemoryPlace::device)
        expect_finite(blocks.host_b(), parallel_for_on(*state.session, "check"));
    for (index_t first = 0; first < rhs && !report.overflowed; first += most) {
        const index_t count = std::min(most, rhs - first);
        DeviceColumns<T> columns(*device, {blocks.b().block(0, first, blocks.b().rows, count), blocks.b_place()},
                                 {blocks.x().block(0, first, blocks.x().rows, count), blocks.x_place()},
                                 parallel_for_on(*state.session, "copy"));
        state.device_solve().run(count, [&] {
            try {
                report.append(refine(columns, refinement));
            } catch (...) {
                columns.settle();  // the factors may go when the task ends
                throw;
            }
        });
        substitution_seconds += columns.seconds();
    }
    if (report.overflowed) return std::nullopt;
    return report;
}

}  // namespace

template <class T>
bool solve_on_device(const FactorsState<T>& state, CallersBlocks<T>& blocks, const SolveOptions& options,
                     FactorSolve<T>& inverse, SolveReport& report) {
    if (options.part != SolvePart::all || inverse.conjugated() || !inverse.wants_device()) return false;
    std::optional<RefinementReport> refined;
    try {
        refined = refine_on_device<T>(state, blocks, options, report.substitution_seconds);
    } catch (const DeviceError&) {  // no room, mostly: cores need none
        if (options.place == SolvePlace::device) throw;
        state.device_solve().abandon();
    }
    if (refined) {
        fill_report<T>(report, std::move(*refined), options);
        if (report.status == SolveStatus::converged) return true;
        if (options.krylov == Krylov::off && options.place == SolvePlace::device) return true;
    }
    if (options.place == SolvePlace::automatic) inverse.stay_on_host();
    return false;
}

template <class T>
std::string place_reason(const FactorsState<T>& state, const SolveOptions& options, const FactorSolve<T>& inverse) {
    if (!state.session->has_devices()) return "";
    if (!state.factors.ownership.is_alone()) return text_of(inverse.place_on_ranks());
    if (options.place == SolvePlace::host) return "place = host";
    const std::string reason = state.device_solve().why_not(options);
    if (!reason.empty()) return reason;
    if (!state.device_solve().pays()) return "cores are expected to be quicker";
    if (state.device_solve().waits_for_solves())
        return "the device keeps the plan of the next factorization; a third solve with these factors would run there";
    return "the device was taken or full, or the solution did not converge there";
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template bool solve_on_device<T>(const FactorsState<T>&, CallersBlocks<T>&, const SolveOptions&, FactorSolve<T>&, \
                                     SolveReport&);                                                                   \
    template std::string place_reason<T>(const FactorsState<T>&, const SolveOptions&, const FactorSolve<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
