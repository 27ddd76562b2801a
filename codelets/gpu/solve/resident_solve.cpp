// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_solve.hpp"

#include "device_memory.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "kernels/refinement.hpp"
#include "queue.hpp"
#include "solve/device_system.hpp"
#include "solve/diagonal_inverses.hpp"
#include "solve/solve_phases.hpp"

namespace frond::gpu {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

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
    const Analysis* analysis;
    index_t n, largest_rhs;
    bool hermitian, adjoint;
    Queue queue;
    std::unique_ptr<PinnedMemory<T>> host;
    DeviceMemory<S> front_rows, x, w;
    DeviceMemory<index_t> position, shift, pivot_order;
    DeviceMemory<std::uint32_t> pull_begin, pull;
    DeviceMemory<T> inverses;
    std::vector<SolvePhase> phases;
    DeviceMemory<SolveProduct<S>> products;
    DeviceMemory<SolvePiece<S>> pieces;
    DeviceMemory<SolveChunk> chunks, tiles;
    DeviceMemory<PivotRun<S>> runs;
    SolveVectors<S> vectors{};
    std::unique_ptr<DeviceSystem<T>> system;

    State(int number, unsigned memory_node, const PlacedFactors<T>& factors, index_t most_rhs)
        : device(number),
          node(memory_node),
          analysis(factors.analysis),
          n(factors.analysis->order),
          largest_rhs(most_rhs),
          hermitian(factors.analysis->factorization == Factorization::ldlh),
          adjoint(factors.analysis->factorization != Factorization::ldlt) {
        const VectorLayout& layout = factors.plan->layout;
        const SolveSteps& steps = factors.plan->steps;
        send_rows(factors);
        const count_t vector = static_cast<count_t>(n) * most_rhs;
        front_rows = {node, layout.rows * most_rhs};
        x = {node, vector};
        w = {node, vector};
        vectors = {front_rows.data(), layout.rows, x.data(), w.data(), n, most_rhs};
        inverses = {node, steps.scalars};
        invert_diagonals<T>(queue.stream(), queue.blas(), node, factors, steps, inverses.data());
        send_phases(solve_phases<T>(factors, layout, steps,
                                          {reinterpret_cast<const S*>(inverses.data()), pivot_order.data(), vectors}));
    }

    void send_rows(const PlacedFactors<T>& factors) {
        const RowTables& tables = factors.plan->rows;
        position = on_device(node, queue.stream(), tables.position);
        pull_begin = on_device(node, queue.stream(), tables.pull_begin);
        pull = on_device(node, queue.stream(), tables.pull);
        shift = on_device(node, queue.stream(), shifts(factors));
        pivot_order = on_device(node, queue.stream(), factors.pivot_order);
    }

    void send_phases(SolvePhases<S>&& all) {
        phases = std::move(all.phases);
        products = on_device(node, queue.stream(), all.products);
        pieces = on_device(node, queue.stream(), all.pieces);
        chunks = on_device(node, queue.stream(), all.chunks);
        tiles = on_device(node, queue.stream(), all.tiles);
        runs = on_device(node, queue.stream(), all.runs);
    }

    void launch(const SolvePhase& p, const SolveVectors<S>& v) const {
        using Kind = SolvePhase::Kind;
        const SolveRows rows{position.data(), pull_begin.data(), pull.data(), shift.data()};
        const count_t count = p.end - p.begin;
        const Stream stream = queue.stream();
        if (p.tile_outputs > 0 && v.rhs >= least_rhs_of_tiles) return launch_tiles(p, v.rhs);
        const SolveTables<S> tables{products.data(), pieces.data(), chunks.data() + p.begin};
        switch (p.kind) {
            case Kind::gather_forward: return gather_forward(stream, rows, p.begin, p.end, v);
            case Kind::gather_backward: return gather_backward(stream, rows, p.begin, p.end, v);
            case Kind::divide: return divide_by_pivots(stream, hermitian, runs.data() + p.begin, count, v);
            case Kind::multiply: return multiply_pieces<S>(stream, tables, count, p.chunk_outputs, v.rhs);
            case Kind::multiply_transposed:
                return multiply_transposed_pieces<S>(stream, tables, count, adjoint, v.rhs);
        }
    }

    void launch_tiles(const SolvePhase& p, index_t rhs) const {
        const SolveTables<S> tables{products.data(), pieces.data(), tiles.data() + p.tile_begin};
        const bool transposed = p.kind == SolvePhase::Kind::multiply_transposed;
        multiply_tiles<S>(queue.stream(), tables, p.tile_end - p.tile_begin, p.tile_outputs, transposed,
                          transposed && adjoint, rhs);
    }

    void substitute(index_t rhs) const {
        SolveVectors<S> v = vectors;
        v.rhs = rhs;
        for (const SolvePhase& p : phases) launch(p, v);
    }

    T* host_vectors() {
        if (host == nullptr) host = std::make_unique<PinnedMemory<T>>(static_cast<count_t>(n) * largest_rhs);
        return host->data();
    }

    /// x := given
    void send(DenseView<const T> given) const {
        const std::size_t rows = at(given.rows) * sizeof(T);
        check(FROND_GPU(Memcpy2DAsync)(x.data(), rows, given.data, at(given.ld) * sizeof(T), rows, at(given.cols),
                                       FROND_GPU(MemcpyHostToDevice), queue.stream()),
              "sending right-hand sides");
    }

    /// given := x
    void fetch(DenseView<T> given) const {
        const std::size_t rows = at(given.rows) * sizeof(T);
        check(FROND_GPU(Memcpy2DAsync)(given.data, at(given.ld) * sizeof(T), x.data(), rows, rows, at(given.cols),
                                       FROND_GPU(MemcpyDeviceToHost), queue.stream()),
              "fetching solutions");
        wait();
    }

    void wait() const { check(FROND_GPU(StreamSynchronize)(queue.stream()), "solving on the device"); }
};

template <class T>
ResidentSolve<T>::ResidentSolve(int device, unsigned memory_node, const PlacedFactors<T>& factors,
                                index_t largest_rhs) {
    const CurrentDevice now(device);
    state_ = std::make_unique<State>(device, memory_node, factors, largest_rhs);
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
T* ResidentSolve<T>::host_vectors() {
    const CurrentDevice now(state_->device);
    return state_->host_vectors();
}

template <class T>
index_t ResidentSolve<T>::largest_rhs() const noexcept {
    return state_->largest_rhs;
}

template <class T>
void ResidentSolve<T>::solve(index_t rhs) {
    const CurrentDevice now(state_->device);
    const DenseView<T> vectors{state_->host_vectors(), state_->n, rhs, state_->n};
    state_->send(vectors.as_const());
    state_->substitute(rhs);
    state_->fetch(vectors);
}

template <class T>
bool ResidentSolve<T>::has_system() const noexcept {
    return state_->system != nullptr;
}

template <class T>
void ResidentSolve<T>::set_system(const SystemByRows<T>& system) {
    const CurrentDevice now(state_->device);
    state_->system = std::make_unique<DeviceSystem<T>>(state_->node, state_->queue.stream(), *state_->analysis, system,
                                                       state_->largest_rhs);
}

template <class T>
void ResidentSolve<T>::take_right_hand_sides(DenseView<const T> given) {
    const CurrentDevice now(state_->device);
    FROND_EXPECTS(given.cols <= state_->largest_rhs, "more right-hand sides than there is room for");
    state_->send(given);
    state_->system->vectors.rhs = given.cols;
    gpu::take_right_hand_sides(state_->queue.stream(), state_->system->view, state_->x.data(), state_->system->vectors);
}

template <class T>
void ResidentSolve<T>::correct(bool first) {
    const CurrentDevice now(state_->device);
    const DeviceSystem<T>& system = *state_->system;
    scale_residuals(state_->queue.stream(), system.view, system.vectors, state_->x.data());
    state_->substitute(system.vectors.rhs);
    add_corrections(state_->queue.stream(), system.view, system.vectors, first, state_->x.data());
    state_->wait();
}

template <class T>
std::vector<ResidualSizes> ResidentSolve<T>::measure() {
    const CurrentDevice now(state_->device);
    DeviceSystem<T>& system = *state_->system;
    measure_errors(state_->queue.stream(), system.view, system.vectors, system.errors.data());
    return system.fetch_sizes(state_->queue.stream());
}

template <class T>
void ResidentSolve<T>::adopt(index_t q) {
    const CurrentDevice now(state_->device);
    adopt_trial(state_->queue.stream(), state_->system->view, state_->system->vectors, q);
}

template <class T>
void ResidentSolve<T>::give_solutions(DenseView<T> given) {
    const CurrentDevice now(state_->device);
    const DeviceSystem<T>& system = *state_->system;
    gpu::give_solutions(state_->queue.stream(), system.view, system.vectors, state_->x.data());
    state_->fetch(given);
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
