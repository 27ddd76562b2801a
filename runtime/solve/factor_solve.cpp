// SPDX-License-Identifier: BSD-3-Clause
#include "solve/factor_solve.hpp"

#include <algorithm>
#include <chrono>
#include <deque>

#include "factors/factors_on_host.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "session/parallel_for.hpp"
#include "solve/substitution.hpp"

namespace frond::detail {
namespace {

constexpr index_t default_rhs_block = 64;
constexpr count_t rows_per_chunk = 1 << 15;

/// Which side of A a vector lives on: its permutation and scaling (null: none).
struct Side {
    const std::vector<index_t>& order;
    const std::vector<double>* scale;
};

template <class T>
Side rows_of(const FactorsState<T>& s) {
    return {s.analysis->row_order, &s.scaling->row};
}
template <class T>
Side columns_of(const FactorsState<T>& s) {
    return {s.analysis->column_order, &s.scaling->column};
}

/// The first part takes the right-hand side, the last gives the solution; vectors between parts stand
/// where the solution will, not scaled.
template <class T>
Side in_side(const FactorsState<T>& s, const SolveOptions& options) {
    const bool none = options.operation == Operation::none;
    const bool first = options.part == SolvePart::all || options.part == SolvePart::forward;
    if (first) return none ? rows_of(s) : columns_of(s);
    return {none ? s.analysis->column_order : s.analysis->row_order, nullptr};
}
template <class T>
Side out_side(const FactorsState<T>& s, const SolveOptions& options) {
    const Side side = options.operation == Operation::none ? columns_of(s) : rows_of(s);
    const bool last = options.part == SolvePart::all || options.part == SolvePart::backward;
    return {side.order, last ? side.scale : nullptr};
}

template <class T>
T scaled(const Side& side, std::size_t i, T x) {
    const bool unscaled = side.scale == nullptr || side.scale->empty();
    return unscaled ? x : x * static_cast<real_t<T>>((*side.scale)[i]);
}

count_t chunks_of(index_t n) { return std::max<count_t>(1, n / rows_per_chunk); }

}  // namespace

template <class T>
FactorSolve<T>::FactorSolve(const FactorsState<T>& state, const SolveOptions& options)
    : state_(state), options_(options), parallel_for_(parallel_for_on(*state.session)), place_(options.place) {
    if (place_ != SolvePlace::device) return;
    const std::string reason = state.device_solve().why_not(options);
    if (!reason.empty()) throw InvalidArgument("place = device, but " + reason + "; use automatic or host");
}

template <class T>
bool FactorSolve<T>::conjugated() const {
    if (!is_complex<T> || !is_symmetric(state_.kind())) return false;
    const bool complex_symmetric = state_.kind() == Factorization::ldlt;
    return options_.operation == (complex_symmetric ? Operation::adjoint : Operation::transpose);
}

template <class T>
void FactorSolve<T>::permute_in(DenseView<const T> x, T* work) {
    const Side side = in_side(state_, options_);
    const bool conj = conjugated();
    const count_t n = x.rows, chunks = chunks_of(x.rows);
    parallel_for_(chunks, [&](count_t c) {
        for (index_t j = 0; j < x.cols; ++j)
            for (count_t k = n * c / chunks; k < n * (c + 1) / chunks; ++k) {
                const index_t i = side.order[at(k)];
                const T value = scaled(side, at(i), x(i, j));
                work[k + j * n] = conj ? conjugate(value) : value;
            }
    });
}

template <class T>
void FactorSolve<T>::permute_out(const T* work, DenseView<T> x) {
    const Side side = out_side(state_, options_);
    const bool conj = conjugated();
    const count_t n = x.rows, chunks = chunks_of(x.rows);
    parallel_for_(chunks, [&](count_t c) {
        for (index_t j = 0; j < x.cols; ++j)
            for (count_t k = n * c / chunks; k < n * (c + 1) / chunks; ++k) {
                const index_t i = side.order[at(k)];
                const T value = scaled(side, at(i), work[k + j * n]);
                x(i, j) = conj ? conjugate(value) : value;
            }
    });
}

template <class T>
index_t FactorSolve<T>::block_columns() const {
    return options_.rhs_block > 0 ? options_.rhs_block : default_rhs_block;
}

template <class T>
SubstitutionLoad FactorSolve<T>::load(index_t rhs) const {
    SubstitutionLoad load;
    load.rhs = std::min(rhs, block_columns());
    load.blocks = (rhs + block_columns() - 1) / block_columns();
    load.cores = state_.session->cpu_workers();
    load.scalar_bytes = static_cast<count_t>(sizeof(T));
    load.flops_per_product = (is_complex<T> ? 8 : 2) / relative_speed<T>;
    return load;
}

/// Alone where the estimates are near: that waits for nobody, and leaves the other cores to others.
template <class T>
SubstitutionWay FactorSolve<T>::quickest(const SubstitutionPlan& plan, const SubstitutionLoad& load) const {
    if (!factors_on_host(state_)) return SubstitutionWay::units;
    constexpr double near = 1.2;
    const double by_tasks = substitution_seconds_by_tasks(plan, *state_.analysis, load, rates());
    if (substitution_seconds_alone(plan, load) <= near * by_tasks) return SubstitutionWay::alone;
    // Units of a group find vectors in the one memory of the host.
    const bool one_memory = starpu_memory_nodes_get_count_by_kind(STARPU_CPU_RAM) <= 1;
    return one_memory ? SubstitutionWay::groups : SubstitutionWay::units;
}

template <class T>
const SubstitutionPlan& FactorSolve<T>::plan(index_t rhs) {
    if (plan_) return *plan_;
    const SubstitutionLoad sizes = load(rhs);
    SubstitutionPlan plan = plan_substitution(*state_.analysis, sizes, rates());
    plan.way = forced_ && factors_on_host(state_) ? *forced_ : quickest(plan, sizes);
    return plan_.emplace(std::move(plan));
}

template <class T>
void FactorSolve<T>::substitute(index_t rhs) {
    const Analysis& analysis = *state_.analysis;
    const index_t block = block_columns();
    const Operation op = is_symmetric(state_.kind()) ? Operation::none : options_.operation;
    const SubstitutionPlan& chosen = plan(rhs);
    const JobGuard guard(*state_.session, chosen.way == SubstitutionWay::alone ? Workers::resting : Workers::awake);
    WorkspacePool workspaces(Substitution<T>::workspace_bytes(analysis, std::min(block, rhs)));
    Job job(options_.cancel);
    // The blocks' handles and tables must outlive the tasks, the job must outlive both.
    std::deque<Substitution<T>> blocks;
    const SolvePart part = options_.part;
    try {
        for (index_t first = 0; first < rhs; first += block) {
            T* start = static_cast<T*>(work_.data()) + static_cast<count_t>(first) * analysis.order;
            const DenseView<T> x{start, analysis.order, std::min(block, rhs - first), analysis.order};
            Substitution<T>& s = blocks.emplace_back(state_, chosen, op, x, job, workspaces);
            if (part == SolvePart::all || part == SolvePart::forward) s.forward();
            if (part == SolvePart::all || part == SolvePart::diagonal) s.diagonal();
            if (part == SolvePart::all || part == SolvePart::backward) s.backward();
            if (chosen.way == SubstitutionWay::alone) blocks.clear();
        }
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
}

template <class T>
void FactorSolve<T>::apply_on_host(DenseView<T> x) {
    const count_t bytes = static_cast<count_t>(x.rows) * x.cols * static_cast<count_t>(sizeof(T));
    if (work_.bytes() < bytes) work_ = HostBlock(bytes);
    permute_in(x.as_const(), static_cast<T*>(work_.data()));
    substitute(x.cols);
    permute_out(static_cast<const T*>(work_.data()), x);
}

template <class T>
bool FactorSolve<T>::wants_device() const {
    if (place_ == SolvePlace::host || !state_.session->has_devices()) return false;
    if (place_ == SolvePlace::device) return true;
    const DeviceSolve<T>& device = state_.device_solve();
    // A deterministic run has each kind of work on the device where it can be.
    return device.why_not(options_).empty() && (state_.analysis->options.deterministic || device.pays());
}

template <class T>
index_t FactorSolve<T>::apply_on_device(DenseView<T> x) {
    index_t done = 0;
    const JobGuard guard(*state_.session);
    try {
        const auto lease = state_.device_solve().lease(x.cols);
        gpu::ResidentSolve<T>* const device = lease.get();
        if (device == nullptr) return 0;
        state_.device_solve().choose(*device, options_.operation);
        while (done < x.cols) {
            if (options_.cancel != nullptr && options_.cancel->load()) throw Cancelled("the solve was cancelled");
            const auto part = x.block(0, done, x.rows, std::min(device->largest_rhs(), x.cols - done));
            permute_in(part.as_const(), device->host_vectors());
            device->solve(part.cols);
            permute_out(device->host_vectors(), part);
            done += part.cols;
        }
        on_device_ = true;
    } catch (const DeviceError&) {  // no room, mostly: cores need none
        if (place_ == SolvePlace::device) throw;
        state_.device_solve().abandon();
        stay_on_host();
    }
    return done;
}

template <class T>
void FactorSolve<T>::apply(DenseView<T> x) {
    if (x.rows == 0 || x.cols == 0) return;
    const auto start = std::chrono::steady_clock::now();
    const index_t done = wants_device() ? apply_on_device(x) : 0;
    if (done < x.cols) apply_on_host(x.block(0, done, x.rows, x.cols - done));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    seconds_ += elapsed.count();
}

#define FROND_INSTANTIATE(T) template class FactorSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
