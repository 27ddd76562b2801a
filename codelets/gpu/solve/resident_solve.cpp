// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_solve.hpp"

#include <array>

#include "device_memory.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/substitution/refinement.hpp"
#include "queue.hpp"
#include "solve/device_substitution.hpp"
#include "solve/device_system.hpp"
#include "solve/diagonal_inverses.hpp"
#include "solve/solve_phases.hpp"
#include "solve/staged_columns.hpp"

namespace frond::gpu {
namespace {

/// shift[p]: how far from the row at position p is the one that the pivot order puts there.
template <class T>
std::vector<index_t> shifts(const PlacedFactors<T>& factors) {
    std::vector<index_t> shift(factors.pivot_order.size(), 0);
    if (shift.empty()) return shift;
    const AssemblyTree& tree = factors.analysis->tree;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        for (index_t r = 0; r < front.npiv && factors.fronts[at(f)].part != nullptr; ++r)
            shift[at(front.first_column + r)] = factors.pivot_order[at(front.first_column + r)] - r;
    }
    return shift;
}

}  // namespace

struct ResidentPlan {
    VectorLayout layout;
    SolveSteps steps;
    RowTables rows;
};

template <class T>
struct ResidentSolve<T>::State {
    using S = DeviceScalar<T>;

    int device;
    unsigned node;
    PlacedFactors<T> factors;  // without their pivot order, which is on the device
    Factorization kind;
    Operation op = Operation::none;
    index_t n, largest_rhs = 0;
    Queue queue;
    std::unique_ptr<PinnedMemory<T>> host;
    StagedCopies staged;
    DeviceMemory<S> front_rows, x, w;
    DeviceMemory<index_t> position, shift, pivot_order;
    DeviceMemory<std::uint32_t> pull_begin, pull;
    std::unique_ptr<DiagonalInverses<T>> inverses;
    SolveVectors<S> vectors{};
    std::unique_ptr<DeviceSubstitution<T>> plain, transposed;
    std::unique_ptr<DeviceRefinement<T>> refinement;
    std::array<std::unique_ptr<DeviceSystem<T>>, 3> systems;  // by operation

    State(int number, unsigned memory_node, PlacedFactors<T>&& placed, index_t most_rhs)
        : device(number),
          node(memory_node),
          factors(std::move(placed)),
          kind(factors.analysis->factorization),
          n(factors.analysis->order) {
        try {
            send_rows();
            inverses = std::make_unique<DiagonalInverses<T>>(node, factors.plan->steps);
            inverses->compute(queue, factors, factors.plan->steps, true);
            factors.pivot_order = {};
            make_room(most_rhs);
        } catch (...) {
            drain();  // no destructor follows
            throw;
        }
    }

    /// Lists have the addresses of factors and of what is sent here.
    void use(PlacedFactors<T>&& placed) {
        const bool has_moved = placed.fronts != factors.fronts;
        factors = std::move(placed);
        send_pivot_order();
        inverses->compute(queue, factors, factors.plan->steps, has_moved);
        factors.pivot_order = {};
        for (const auto& system : systems)
            if (system != nullptr) system->is_set = false;
        if (!has_moved) return;
        transposed.reset();
        plain.reset();
        plain = substitution(false);
    }

    /// Vectors, and the lists with their addresses; the old ones first, which a solve that was cancelled may still use.
    void make_room(index_t rhs) {
        wait();
        largest_rhs = rhs;
        plain.reset();
        transposed.reset();
        refinement.reset();
        host.reset();
        for (DeviceMemory<S>* memory : {&front_rows, &x, &w}) *memory = {};
        const count_t vector = static_cast<count_t>(n) * rhs, rows = factors.plan->layout.rows;
        front_rows = {node, rows * rhs};
        x = {node, vector};
        w = {node, vector};
        vectors = {front_rows.data(), rows, x.data(), w.data(), n, rhs};
        plain = substitution(false);
    }

    void make_refinement() {
        if (refinement == nullptr) refinement = std::make_unique<DeviceRefinement<T>>(node, n, largest_rhs);
    }

    ~State() { drain(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Before memory goes: what was queued last may still run. After a fault, which is false, a lost device is known.
    bool drain() noexcept {
        const auto status = FROND_GPU(StreamSynchronize)(queue.stream());
        ignore(status);
        if (status == FROND_GPU(Success)) return true;
        static_cast<void>(works(node));
        return false;
    }

    void send_rows() {
        const RowTables& tables = factors.plan->rows;
        position = on_device(node, queue.stream(), tables.position);
        pull_begin = on_device(node, queue.stream(), tables.pull_begin);
        pull = on_device(node, queue.stream(), tables.pull);
        send_pivot_order();
    }

    void send_pivot_order() {
        send_table(node, queue.stream(), shifts(factors), shift);
        send_table(node, queue.stream(), factors.pivot_order, pivot_order);
    }

    std::unique_ptr<DeviceSubstitution<T>> substitution(bool with_transpose) const {
        const SolveMemory<S> memory{reinterpret_cast<const S*>(inverses->data()), pivot_order.data(), vectors};
        return std::make_unique<DeviceSubstitution<T>>(
            node, queue.stream(),
            solve_phases<T>(factors, factors.plan->layout, factors.plan->steps, memory, with_transpose), largest_rhs);
    }

    void choose(Operation wanted) {
        // Complex numbers alone know the difference.
        op = is_complex<T> || wanted == Operation::none ? wanted : Operation::transpose;
        FROND_EXPECTS(op == Operation::none || kind == Factorization::lu, "a transposed solve without L U");
        if (op != Operation::none && transposed == nullptr) transposed = substitution(true);
    }

    std::unique_ptr<DeviceSystem<T>>& system() { return systems[static_cast<std::size_t>(op)]; }
    const SystemView<S>& view() { return system()->view; }

    void substitute(index_t rhs) {
        SolveVectors<S> v = vectors;
        v.rhs = rhs;
        const bool plainly = op == Operation::none;
        // With a transpose, rows take their pivot order at the end.
        const SolveRows rows{position.data(), pull_begin.data(), pull.data(), plainly ? shift.data() : nullptr};
        const bool conjugated = plainly ? kind != Factorization::ldlt : op == Operation::adjoint;
        (plainly ? *plain : *transposed).run(queue.stream(), rows, v, conjugated, kind == Factorization::ldlh);
    }

    T* host_vectors() {
        if (host == nullptr) host = std::make_unique<PinnedMemory<T>>(static_cast<count_t>(n) * largest_rhs);
        return host->data();
    }

    /// x := pinned
    void send(const T* pinned, index_t cols) const {
        check(FROND_GPU(MemcpyAsync)(x.data(), pinned, at(n) * at(cols) * sizeof(T), FROND_GPU(MemcpyHostToDevice),
                                     queue.stream()),
              "sending right-hand sides");
    }

    /// pinned := x
    void fetch(T* pinned, index_t cols) const {
        check(FROND_GPU(MemcpyAsync)(pinned, x.data(), at(n) * at(cols) * sizeof(T), FROND_GPU(MemcpyDeviceToHost),
                                     queue.stream()),
              "fetching solutions");
        wait();
    }

    /// x := given
    void send(DenseView<const T> given, const ParallelFor& parallel_for) {
        send_columns<T>(staged, queue.stream(), given, x.data(), parallel_for);
    }

    /// given := x
    void fetch(DenseView<T> given, const ParallelFor& parallel_for) {
        fetch_columns<T>(staged, queue.stream(), x.data(), given, parallel_for);
    }

    void wait() const { check(FROND_GPU(StreamSynchronize)(queue.stream()), "solving on the device"); }
};

template <class T>
ResidentSolve<T>::ResidentSolve(int device, unsigned memory_node, PlacedFactors<T> factors, index_t largest_rhs) {
    const CurrentDevice now(device);
    state_ = std::make_unique<State>(device, memory_node, std::move(factors), largest_rhs);
}

template <class T>
ResidentSolve<T>::~ResidentSolve() {
    try {
        const CurrentDevice now(state_->device);
        state_.reset();
    } catch (const DeviceError&) {  // the device is gone, and what was on it
        state_.reset();
    }
}

template <class T>
void ResidentSolve<T>::use(PlacedFactors<T> factors) {
    const CurrentDevice now(state_->device);
    state_->use(std::move(factors));
}

template <class T>
bool ResidentSolve<T>::leave_factors() noexcept {
    try {
        const CurrentDevice now(state_->device);
        return state_->drain();
    } catch (const DeviceError&) {
        return false;
    }
}

template <class T>
T* ResidentSolve<T>::host_vectors() {
    const CurrentDevice now(state_->device);
    return state_->host_vectors();
}

template <class T>
index_t ResidentSolve<T>::largest_rhs() const noexcept {
    return state_->largest_rhs;
}

template <class T>
void ResidentSolve<T>::grow(index_t rhs) {
    const CurrentDevice now(state_->device);
    state_->make_room(rhs);
}

template <class T>
count_t ResidentSolve<T>::system_bytes() const noexcept {
    count_t bytes = state_->plain->bytes() + (state_->transposed == nullptr ? 0 : state_->transposed->bytes());
    for (const auto& system : state_->systems)
        if (system != nullptr) bytes += system->bytes();
    return bytes;
}

template <class T>
void ResidentSolve<T>::choose(Operation op) {
    const CurrentDevice now(state_->device);
    state_->choose(op);
}

template <class T>
void ResidentSolve<T>::follow(const CallersStream& stream) {
    const CurrentDevice now(state_->device);
    check(FROND_GPU(StreamWaitEvent)(state_->queue.stream(), static_cast<FROND_GPU(Event_t)>(stream.event()), 0),
          "waiting for the stream of the solve's options");
}

template <class T>
void ResidentSolve<T>::solve(index_t rhs) {
    const CurrentDevice now(state_->device);
    state_->send(state_->host_vectors(), rhs);
    state_->substitute(rhs);
    state_->fetch(state_->host_vectors(), rhs);
}

template <class T>
bool ResidentSolve<T>::has_system() const noexcept {
    return state_->system() != nullptr && state_->system()->is_set;
}

template <class T>
void ResidentSolve<T>::set_system(const SystemByRows<T>& system, const ParallelFor& parallel_for) {
    const CurrentDevice now(state_->device);
    State& s = *state_;
    s.make_refinement();
    if (s.system() != nullptr && s.system()->pattern == system.pattern)
        s.system()->set(s.queue.stream(), system, s.staged, parallel_for);
    else
        s.system() = std::make_unique<DeviceSystem<T>>(s.node, s.queue.stream(), system, s.staged, parallel_for);
}

template <class T>
double ResidentSolve<T>::norm() const noexcept {
    return state_->system()->norm;
}

template <class T>
void ResidentSolve<T>::take_right_hand_sides(DenseView<const T> given, MemoryPlace place,
                                             const ParallelFor& parallel_for) {
    using S = DeviceScalar<T>;
    const CurrentDevice now(state_->device);
    State& s = *state_;
    FROND_EXPECTS(given.cols <= s.largest_rhs, "more right-hand sides than there is room for");
    s.make_refinement();
    const bool there = place == MemoryPlace::device;
    if (!there) s.send(given, parallel_for);
    s.refinement->vectors.rhs = given.cols;
    gpu::take_right_hand_sides<S>(s.queue.stream(), s.view(),
                                  there ? reinterpret_cast<const S*>(given.data) : s.x.data(), there ? given.ld : s.n,
                                  s.refinement->vectors);
}

template <class T>
void ResidentSolve<T>::correct(bool first) {
    const CurrentDevice now(state_->device);
    State& s = *state_;
    scale_residuals(s.queue.stream(), s.view(), s.refinement->vectors, s.x.data());
    s.substitute(s.refinement->vectors.rhs);
    add_corrections(s.queue.stream(), s.view(), s.refinement->vectors, first, s.x.data());
    s.wait();
}

template <class T>
std::vector<ResidualSizes> ResidentSolve<T>::measure() {
    const CurrentDevice now(state_->device);
    State& s = *state_;
    measure_errors(s.queue.stream(), s.view(), s.refinement->vectors, s.refinement->errors.data());
    return s.refinement->fetch_sizes(s.queue.stream());
}

template <class T>
void ResidentSolve<T>::adopt(index_t q, index_t count) {
    const CurrentDevice now(state_->device);
    adopt_trial(state_->queue.stream(), state_->view(), state_->refinement->vectors, q, count);
}

template <class T>
void ResidentSolve<T>::give_solutions(DenseView<T> given, MemoryPlace place, const ParallelFor& parallel_for) {
    using S = DeviceScalar<T>;
    const CurrentDevice now(state_->device);
    State& s = *state_;
    const bool there = place == MemoryPlace::device;
    gpu::give_solutions<S>(s.queue.stream(), s.view(), s.refinement->vectors,
                           there ? reinterpret_cast<S*>(given.data) : s.x.data(), there ? given.ld : s.n);
    if (there)
        s.wait();
    else
        s.fetch(given, parallel_for);
}

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis& analysis) {
    auto plan = std::make_shared<ResidentPlan>();
    plan->layout = lay_out_vectors(analysis.tree);
    plan->steps = solve_steps(analysis);
    plan->rows = row_tables(analysis.tree, plan->layout);
    return plan;
}

ResidentBytes resident_bytes(const Analysis& analysis, const ResidentPlan& plan, count_t scalar_bytes) {
    const VectorLayout& layout = plan.layout;
    const SolveSteps& steps = plan.steps;
    ResidentBytes b;
    b.inverses = steps.scalars * scalar_bytes;
    constexpr count_t by_column = 7;  // x, w of the substitution; b, best, trial, r, weights of the refinement
    b.vectors = (layout.rows + by_column * static_cast<count_t>(analysis.order)) * scalar_bytes;
    b.tables = (2 * layout.rows + static_cast<count_t>(analysis.tree.rows.size() + 2 * at(analysis.order))) * 4;
    b.phases = count_phases(analysis, layout, steps);
    return b;
}

#define FROND_INSTANTIATE(T) template class ResidentSolve<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
