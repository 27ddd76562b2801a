// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_solve.hpp"

#include <array>
#include <optional>

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

namespace {

template <class T>
class SolveOnDevice final : public ResidentSolve<T> {
public:
    SolveOnDevice(int number, unsigned memory_node, PlacedFactors<T>&& placed, index_t most_rhs)
        : device_(number),
          node_(memory_node),
          factors_(std::move(placed)),
          kind_(factors_.analysis->factorization),
          n_(factors_.analysis->order) {
        try {
            send_rows();
            inverses_ = std::make_unique<DiagonalInverses<T>>(node_, factors_.plan->steps);
            invert(true);
            make_room(most_rhs);
        } catch (...) {
            drain();  // no destructor follows
            throw;
        }
    }

    /// Memory goes with the device as the current one.
    ~SolveOnDevice() override {
        try {
            at_end_.emplace(device_);
        } catch (const DeviceError&) {  // the device is gone, and what was on it
        }
        drain();
    }

    index_t largest_rhs() const noexcept override { return largest_rhs_; }

    /// Lists have the addresses of factors and of what is sent here.
    void use(PlacedFactors<T> placed) override {
        const CurrentDevice now(device_);
        const bool has_moved = placed.fronts != factors_.fronts;
        factors_ = std::move(placed);
        send_pivot_order();
        invert(has_moved);
        for (const auto& system : systems_)
            if (system != nullptr) system->is_set = false;
        if (!has_moved) return;
        transposed_.reset();
        plain_.reset();
        plain_ = substitution(false);
    }

    bool leave_factors() noexcept override {
        try {
            const CurrentDevice now(device_);
            return drain();
        } catch (const DeviceError&) {
            return false;
        }
    }

    void grow(index_t rhs) override {
        const CurrentDevice now(device_);
        make_room(rhs);
    }

    count_t system_bytes() const noexcept override {
        count_t bytes = plain_->bytes() + (transposed_ == nullptr ? 0 : transposed_->bytes());
        for (const auto& system : systems_)
            if (system != nullptr) bytes += system->bytes();
        return bytes;
    }

    void choose(Operation wanted) override {
        const CurrentDevice now(device_);
        // Complex numbers alone know the difference.
        op_ = is_complex<T> || wanted == Operation::none ? wanted : Operation::transpose;
        FROND_EXPECTS(op_ == Operation::none || kind_ == Factorization::lu, "a transposed solve without L U");
        if (op_ != Operation::none && transposed_ == nullptr) transposed_ = substitution(true);
    }

    void follow(const CallersStream& stream) override {
        const CurrentDevice now(device_);
        check(FROND_GPU(StreamWaitEvent)(queue_.stream(), static_cast<FROND_GPU(Event_t)>(stream.event()), 0),
              "waiting for the stream of the solve's options");
    }

    T* host_vectors() override {
        const CurrentDevice now(device_);
        if (host_ == nullptr) host_ = std::make_unique<PinnedMemory<T>>(static_cast<count_t>(n_) * largest_rhs_);
        return host_->data();
    }

    void solve(index_t rhs) override {
        const CurrentDevice now(device_);
        const std::size_t bytes = at(n_) * at(rhs) * sizeof(T);
        T* const pinned = host_vectors();
        check(FROND_GPU(MemcpyAsync)(x_.data(), pinned, bytes, FROND_GPU(MemcpyHostToDevice), queue_.stream()),
              "sending right-hand sides");
        substitute(rhs);
        check(FROND_GPU(MemcpyAsync)(pinned, x_.data(), bytes, FROND_GPU(MemcpyDeviceToHost), queue_.stream()),
              "fetching solutions");
        wait();
    }

    bool has_system() const noexcept override { return system() != nullptr && system()->is_set; }

    void set_system(const SystemByRows<T>& given, const ParallelFor& parallel_for) override {
        const CurrentDevice now(device_);
        make_refinement();
        if (system() != nullptr && system()->pattern == given.pattern)
            system()->set(queue_.stream(), given, staged_, parallel_for);
        else
            system() = std::make_unique<DeviceSystem<T>>(node_, queue_.stream(), given, staged_, parallel_for);
    }

    double norm() const noexcept override { return system()->norm; }

    void take_right_hand_sides(DenseView<const T> given, MemoryPlace place, const ParallelFor& parallel_for) override {
        const CurrentDevice now(device_);
        FROND_EXPECTS(given.cols <= largest_rhs_, "more right-hand sides than there is room for");
        make_refinement();
        const bool there = place == MemoryPlace::device;
        if (!there) send_columns<T>(staged_, queue_.stream(), given, x_.data(), parallel_for);
        refinement_->vectors.rhs = given.cols;
        gpu::take_right_hand_sides<S>(queue_.stream(), view(),
                                      there ? reinterpret_cast<const S*>(given.data) : x_.data(), there ? given.ld : n_,
                                      refinement_->vectors);
    }

    void correct(bool first) override {
        const CurrentDevice now(device_);
        scale_residuals(queue_.stream(), view(), refinement_->vectors, x_.data());
        substitute(refinement_->vectors.rhs);
        add_corrections(queue_.stream(), view(), refinement_->vectors, first, x_.data());
        wait();
    }

    std::vector<ResidualSizes> measure() override {
        const CurrentDevice now(device_);
        measure_errors(queue_.stream(), view(), refinement_->vectors, refinement_->errors.data());
        return refinement_->fetch_sizes(queue_.stream());
    }

    void adopt(index_t q, index_t count) override {
        const CurrentDevice now(device_);
        adopt_trial(queue_.stream(), view(), refinement_->vectors, q, count);
    }

    void give_solutions(DenseView<T> given, MemoryPlace place, const ParallelFor& parallel_for) override {
        const CurrentDevice now(device_);
        const bool there = place == MemoryPlace::device;
        gpu::give_solutions<S>(queue_.stream(), view(), refinement_->vectors,
                               there ? reinterpret_cast<S*>(given.data) : x_.data(), there ? given.ld : n_);
        if (there)
            wait();
        else
            fetch_columns<T>(staged_, queue_.stream(), x_.data(), given, parallel_for);
    }

private:
    using S = DeviceScalar<T>;

    void invert(bool have_moved) {
        inverses_->compute(queue_, factors_, factors_.plan->steps, have_moved);
        factors_.pivot_order = {};
    }

    /// Vectors, and the lists with their addresses; the old ones first, which a solve that was cancelled may still use.
    void make_room(index_t rhs) {
        wait();
        largest_rhs_ = rhs;
        plain_.reset();
        transposed_.reset();
        refinement_.reset();
        host_.reset();
        for (DeviceMemory<S>* memory : {&front_rows_, &x_, &w_}) *memory = {};
        const count_t vector = static_cast<count_t>(n_) * rhs, rows = factors_.plan->layout.rows;
        front_rows_ = {node_, rows * rhs};
        x_ = {node_, vector};
        w_ = {node_, vector};
        vectors_ = {front_rows_.data(), rows, x_.data(), w_.data(), n_, rhs};
        plain_ = substitution(false);
    }

    void make_refinement() {
        if (refinement_ == nullptr) refinement_ = std::make_unique<DeviceRefinement<T>>(node_, n_, largest_rhs_);
    }

    /// Before memory goes: what was queued last may still run. After a fault, which is false, a lost device is known.
    bool drain() noexcept {
        const auto status = FROND_GPU(StreamSynchronize)(queue_.stream());
        ignore(status);
        if (status == FROND_GPU(Success)) return true;
        static_cast<void>(works(node_));
        return false;
    }

    void send_rows() {
        const RowTables& tables = factors_.plan->rows;
        position_ = on_device(node_, queue_.stream(), tables.position);
        pull_begin_ = on_device(node_, queue_.stream(), tables.pull_begin);
        pull_ = on_device(node_, queue_.stream(), tables.pull);
        send_pivot_order();
    }

    void send_pivot_order() {
        send_table(node_, queue_.stream(), shifts(factors_), shift_);
        send_table(node_, queue_.stream(), factors_.pivot_order, pivot_order_);
    }

    std::unique_ptr<DeviceSubstitution<T>> substitution(bool with_transpose) const {
        const SolveMemory<S> memory{reinterpret_cast<const S*>(inverses_->data()), pivot_order_.data(), vectors_};
        return std::make_unique<DeviceSubstitution<T>>(node_, queue_.stream(),
                                                       solve_phases<T>(factors_, factors_.plan->layout,
                                                                       factors_.plan->steps, memory, with_transpose),
                                                       largest_rhs_);
    }

    std::unique_ptr<DeviceSystem<T>>& system() { return systems_[static_cast<std::size_t>(op_)]; }
    const std::unique_ptr<DeviceSystem<T>>& system() const { return systems_[static_cast<std::size_t>(op_)]; }
    const SystemView<S>& view() const { return system()->view; }

    void substitute(index_t rhs) {
        SolveVectors<S> v = vectors_;
        v.rhs = rhs;
        const bool plainly = op_ == Operation::none;
        // With a transpose, rows take their pivot order at the end.
        const SolveRows rows{position_.data(), pull_begin_.data(), pull_.data(), plainly ? shift_.data() : nullptr};
        const bool conjugated = plainly ? kind_ != Factorization::ldlt : op_ == Operation::adjoint;
        (plainly ? *plain_ : *transposed_).run(queue_.stream(), rows, v, conjugated, kind_ == Factorization::ldlh);
    }

    void wait() const { check(FROND_GPU(StreamSynchronize)(queue_.stream()), "solving on the device"); }

    std::optional<CurrentDevice> at_end_;  // until all below is gone
    int device_;
    unsigned node_;
    PlacedFactors<T> factors_;  // without their pivot order, which is on the device
    Factorization kind_;
    Operation op_ = Operation::none;
    index_t n_, largest_rhs_ = 0;
    Queue queue_;
    std::unique_ptr<PinnedMemory<T>> host_;
    StagedCopies staged_;
    DeviceMemory<S> front_rows_, x_, w_;
    DeviceMemory<index_t> position_, shift_, pivot_order_;
    DeviceMemory<std::uint32_t> pull_begin_, pull_;
    std::unique_ptr<DiagonalInverses<T>> inverses_;
    SolveVectors<S> vectors_{};
    std::unique_ptr<DeviceSubstitution<T>> plain_, transposed_;
    std::unique_ptr<DeviceRefinement<T>> refinement_;
    std::array<std::unique_ptr<DeviceSystem<T>>, 3> systems_;  // by operation
};

}  // namespace

template <class T>
std::unique_ptr<ResidentSolve<T>> make_resident_solve(int device, unsigned memory_node, PlacedFactors<T> factors,
                                                      index_t largest_rhs) {
    const CurrentDevice now(device);
    return std::make_unique<SolveOnDevice<T>>(device, memory_node, std::move(factors), largest_rhs);
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

#define FROND_INSTANTIATE(T) \
    template std::unique_ptr<ResidentSolve<T>> make_resident_solve<T>(int, unsigned, PlacedFactors<T>, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
