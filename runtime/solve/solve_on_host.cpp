// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/loop_purpose.hpp"
#include "memory/free_memory.hpp"
#include "memory/memory_limit.hpp"
#include "refinement/gmres.hpp"
#include "system/row_chunks.hpp"
#include "session/parallel_for.hpp"
#include "session/trace_span.hpp"
#include "solve/block_views.hpp"
#include "substitution/host_columns.hpp"

namespace frond::detail {
namespace {

/// A solution that overflowed is no start for anything: 0 is.
template <class T>
void clear_infinite_columns(DenseView<T> x, const ParallelFor& parallel_for) {
    const count_t pieces = row_chunks(x.rows);
    const LoopPurpose purpose("error");
    std::vector<char> finite(static_cast<std::size_t>(pieces * x.cols));
    for_row_chunks(parallel_for, x.rows, x.cols, [&](count_t j, count_t begin, count_t end, count_t piece) {
        const T* const column = x.column(static_cast<index_t>(j));
        finite[static_cast<std::size_t>(piece)] =
            std::all_of(column + begin, column + end, [](T v) { return std::isfinite(std::abs(v)); });
    });
    for (index_t j = 0; j < x.cols; ++j)
        if (!std::all_of(finite.begin() + j * pieces, finite.begin() + (j + 1) * pieces, [](char f) { return f != 0; }))
            std::fill_n(x.column(j), x.rows, T(0));
}

/// Few solves come to GMRES: what only its vectors would make too large to start without asking asks here.
template <class T>
index_t gmres_vectors(const FactorsState<T>& state, const SolveShape& shape) {
    if (!shape.gmres_asks) return shape.gmres_restart;
    const SolveBytes<T>& bytes = *state.solve_bytes;
    return bytes.fitted(shape, std::max(budget_bytes(0), bytes.least(shape))).gmres_restart;
}

/// Named in traces.
template <class T>
class TracedColumns final : public HostColumns<T> {
public:
    using HostColumns<T>::HostColumns;

    std::vector<ResidualSizes> measure(std::span<const index_t> columns) override {
        const HostSpan span("residual");
        return HostColumns<T>::measure(columns);
    }
};

/// Refines; its blocks go before GMRES asks for memory.
template <class T>
RefinementReport refine_traced(const LinearSystem<T>& system, DenseView<const T> b, const ApplyBlock<T>& apply,
                               DenseView<T> x, const RefinementOptions& options) {
    TracedColumns<T> columns(system, b, apply, x, options.block_columns);
    return refine(columns, options);
}

template <class T>
RefinementReport refine_solution(const FactorsState<T>& state, DenseView<const T> b, DenseView<T> x,
                                 const SolveOptions& options, const SolveShape& shape, FactorSolve<T>& inverse) {
    const LinearSystem<T>& system = state.system.linear_system(options.operation);
    const ApplyBlock<T> apply = [&inverse](DenseView<T> v) { inverse.apply(v); };
    clear_infinite_columns(x, system.parallel_for());
    const RefinementOptions refinement = refinement_options<T>(options, state.report.status);
    RefinementReport refined = refine_traced<T>(system, b, apply, x, refinement);
    if (options.krylov == Krylov::off || !refined.needs_gmres(accepted_backward_error<T>(options))) return refined;
    GmresOptions gmres_options;
    gmres_options.restart = gmres_vectors(state, shape);
    gmres_options.target = options.target_backward_error;
    gmres_options.cancel = options.cancel;
    gmres_options.perturbed = refinement.perturbed;
    if (gmres_options.restart == 0) {
        refined.ran_out_of_memory = true;
        return refined;
    }
    share_residual_of_null_rows<T>(state, b, x, options, gmres_options.restart, inverse, refined);
    if (refined.needs_gmres(accepted_backward_error<T>(options))) gmres(system, b, apply, x, gmres_options, refined);
    return refined;
}

/// B of some columns, kept while X, which may be the same memory, becomes M^-1 B.
template <class T>
class KeptColumns {
public:
    KeptColumns(bool copies, ParallelFor parallel_for) : copies_(copies), parallel_for_(std::move(parallel_for)) {}

    /// X := B. The right-hand sides from then on.
    DenseView<const T> begin(DenseView<const T> b, DenseView<T> x) {
        if (!copies_) {
            copy_block<T>(b, x, parallel_for_);
            return b;
        }
        const count_t bytes = static_cast<count_t>(b.rows) * b.cols * static_cast<count_t>(sizeof(T));
        if (memory_.bytes() < bytes) memory_ = HostBlock(bytes);
        const DenseView<T> copy{static_cast<T*>(memory_.data()), b.rows, b.cols, std::max(b.rows, 1)};
        copy_block<T>(b, copy, parallel_for_);
        return copy;
    }

private:
    bool copies_;  // X is B
    ParallelFor parallel_for_;
    HostBlock memory_;
};

void report_part(SolveReport& report) {
    report.status = SolveStatus::not_measured;
    report.backward_error = report.componentwise_backward_error = report.pure_componentwise_backward_error =
        std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

template <class T>
void solve_on_host(const FactorsState<T>& state, CallersBlocks<T>& blocks, const SolveOptions& options,
                   const SolveShape& shape, FactorSolve<T>& inverse, SolveReport& report) {
    const DenseView<const T> b = blocks.host_b();
    if (blocks.b_place() != gpu::MemoryPlace::host) expect_finite(b, parallel_for_on(*state.session, "check"));
    const DenseView<T> x = blocks.host_x();
    KeptColumns<T> kept(shape.copies_b, parallel_for_on(*state.session, "copy"));
    RefinementReport refined;
    bool bounds_errors = options.forward_error;
    for (index_t first = 0; first < x.cols; first += shape.columns) {
        const index_t columns = std::min(shape.columns, x.cols - first);
        const DenseView<T> x1 = x.block(0, first, x.rows, columns);
        const DenseView<const T> b1 = kept.begin(b.block(0, first, b.rows, columns), x1);
        inverse.apply(x1);
        if (options.part != SolvePart::all) continue;
        refined.append(refine_solution<T>(state, b1, x1, options, shape, inverse));
        if (bounds_errors) bounds_errors = bound_forward_errors<T>(state, b1, x1, options, report);
    }
    if (options.part == SolvePart::all) {
        fill_report<T>(report, std::move(refined), options);
        if (options.forward_error && !bounds_errors) report.short_of_memory = true;
    } else {
        report_part(report);
    }
    blocks.send_x();
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template void solve_on_host<T>(const FactorsState<T>&, CallersBlocks<T>&, const SolveOptions&, const SolveShape&, \
                                   FactorSolve<T>&, SolveReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
