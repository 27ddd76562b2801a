// SPDX-License-Identifier: BSD-3-Clause
// The diagonal tile as a front of its own. Where a pivot is not plainly good, the tile as it was goes to the
// host, is factored there and comes back.
#include "factor_diagonal.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/threshold.hpp"
#include "kernels/dense/bring_pivot_rows.hpp"
#include "kernels/level_batch/panel.hpp"
#include "kernels/substitution/invert_blocks.hpp"
#include "plans/step_plan.hpp"
#include "worker/copies.hpp"
#include "worker/count_eliminated.hpp"
#include "worker/device_layout.hpp"
#include "worker/worker_context.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace frond::gpu {

/// What the elimination of a tile keeps on the device next to it; the first parts also have a block in pinned memory of
/// the host, from which they are sent, or to which they are fetched.
template <class T>
class DiagonalMemory {
public:
    DiagonalMemory(index_t n, const StepPlan& plan, bool searches) {
        DeviceLayout layout;
        front = layout.add<DenseFront<T>>(1);
        steps = layout.add<FrontStep>(plan.steps.size());
        growth = layout.add<unsigned long long>(1);
        answer = layout.add<EliminateAnswer>(1);
        sent_bytes = layout.bytes();
        pivots = layout.add<T>(2 * static_cast<std::size_t>(n));
        fetched_end = layout.bytes();
        saved = layout.add<T>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
        if (searches) {
            row_of = layout.add<index_t>(static_cast<std::size_t>(n));
            swaps = layout.add<RowSwaps>(1);
            selections = layout.add<PivotSelection>(static_cast<std::size_t>(pivot_selections(n)));
        }
        WorkerContext& context = worker_context();
        device = context.device.at_least(layout.bytes());
        pinned = context.pinned.at_least(fetched_end);
    }

    Place<DenseFront<T>> front;
    Place<FrontStep> steps;
    Place<EliminateAnswer> answer;
    Place<T> pivots, saved;
    Place<unsigned long long> growth;
    Place<index_t> row_of;  // where pivots are searched for, and the next two
    Place<RowSwaps> swaps;
    Place<PivotSelection> selections;
    std::size_t sent_bytes = 0, fetched_end = 0;
    void* device = nullptr;
    void* pinned = nullptr;
};

namespace {

/// Panels whose blocks' inverses are larger are solved by substitution: products with them would lose as many
/// digits (Higham 2002, section 14.2).
constexpr double most_growth = 1e3;

template <class T>
class DiagonalTask {
public:
    DiagonalTask(const FactorDiagonalArguments& a, void** buffers)
        : a_(a),
          buffers_(buffers),
          tile_(matrix_buffer<T>(buffers, 0)),
          n_(tile_.cols),
          stream_(task_stream()),
          searches_(a.searches_tile && a.kind == Factorization::lu) {
        if (a.kind != Factorization::llt) record_bytes_ = vector_buffer<unsigned char>(buffers, 1);
    }

    void run() {
        outcome().begin(n_);
        plan();
        send();
        eliminate();
        if (!fetch_answer())
            factor_on_host();
        else if (!(a_.rule.threshold > 0) || a_.kind == Factorization::llt)
            report();
        if (a_.with_inverses) invert();
    }

private:
    PivotOutcome& outcome() const { return outcome_buffer(a_.kind, buffers_, 1); }
    bool has_record() const { return record_bytes_ != nullptr; }
    bool indefinite() const { return has_record() && a_.kind != Factorization::lu; }
    PivotRecord<T> record() const { return PivotRecord<T>::at(record_bytes_, n_); }

    void plan() {
        DenseFront<T> front{tile_.data, tile_.ld, n_, n_, nullptr, nullptr, nullptr};
        if (has_record()) front.pivots = record().pivots, front.perm = record().perm;
        fronts_.push_back(front);
        StepCuts cuts;
        cuts.splits_pair = [this](index_t, index_t column) {
            return a_.pair_with_next != nullptr && a_.pair_with_next[column - 1] != 0;
        };
        cuts.searches = [this](index_t) { return searches_; };
        steps_.add(a_.kind, fronts_, 0, 1, cuts);
        memory_.emplace(n_, steps_, searches_);
    }

    void eliminate() {
        const DenseFront<T>* const front = memory_->front.in(memory_->device);
        if (searches_) begin_row_order<T>(stream_, front, 1);
        for (const StepLaunch& launch : steps_.launches)
            eliminate_step<T>(stream_, front, memory_->steps.in(memory_->device), launch, a_.kind,
                              memory_->answer.in(memory_->device));
        if (searches_) end_row_order<T>(stream_, front, 1);
    }

    DenseView<T> saved() const { return {memory_->saved.in(memory_->device), n_, n_, n_}; }

    void prepare_search() {
        DenseFront<T>& front = fronts_.front();
        front.row_of = memory_->row_of.in(memory_->device);
        front.swaps = memory_->swaps.in(memory_->device);
        if (memory_->selections.count == 0) return;
        front.selections = memory_->selections.in(memory_->device);
        check(FROND_GPU(MemsetAsync)(front.selections, 0, memory_->selections.bytes(), stream_),
              "clearing the counters of a search for pivots");
    }

    void send() {
        if (searches_) prepare_search();
        *memory_->front.in(memory_->pinned) = fronts_.front();
        std::copy(steps_.steps.begin(), steps_.steps.end(), memory_->steps.in(memory_->pinned));
        *memory_->answer.in(memory_->pinned) =
            EliminateAnswer(eliminate_rule<T>(a_.kind, a_.rule, a_.rule.threshold > 0));
        gpu::send(memory_->device, memory_->pinned, memory_->sent_bytes, "sending the steps of a tile");
        copy_block<T>(stream_, tile_, saved());
        if (!has_record()) return;
        check(FROND_GPU(MemsetAsync)(record().replaced, 0, sizeof(T) * static_cast<std::size_t>(n_), stream_),
              "clearing replaced pivots");
    }

    /// The answer and the pivots, which the host counts; false: the tile has lost its values.
    bool fetch_answer() {
        const DenseView<T> pivots{memory_->pivots.in(memory_->device), 1, indefinite() ? 2 * n_ : n_, 1};
        if (indefinite())
            copy_block<T>(stream_, {record().pivots, 1, 2 * n_, 1}, pivots);
        else
            copy_block<T>(stream_, {tile_.data, 1, n_, tile_.ld + 1}, pivots);
        fetch(memory_->answer.in(memory_->pinned), memory_->answer.in(memory_->device),
              memory_->fetched_end - memory_->answer.at, "fetching the pivots of a tile");
        drain();
        return memory_->answer.in(memory_->pinned)->failed == 0;
    }

    void report() const { outcome().counts += count_eliminated<T>(a_.kind, n_, memory_->pivots.in(memory_->pinned)); }

    void invert() {
        const DenseView<T> inverses = matrix_buffer<T>(buffers_, 2);
        const bool unit = a_.kind != Factorization::llt;
        invert_blocks<T>(stream_, tile_, false, unit, inverses.block(0, 0, inverses.rows, n_));
        if (a_.kind == Factorization::lu)
            invert_blocks<T>(stream_, tile_, true, false, inverses.block(0, n_, inverses.rows, n_));
        outcome().inverses_usable = largest_growth(inverses) <= most_growth;
    }

    /// The largest entry of the inverses, on which the accuracy of their products depends: infinity when one is not
    /// finite.
    double largest_growth(DenseView<const T> inverses) {
        auto* const growth = memory_->growth.in(memory_->device);
        check(FROND_GPU(MemsetAsync)(growth, 0, memory_->growth.bytes(), stream_), "clearing a growth");
        const bool unit = a_.kind != Factorization::llt;
        measure_inverses<T>(stream_, tile_, false, unit, inverses.block(0, 0, inverses.rows, n_), growth);
        if (a_.kind == Factorization::lu)
            measure_inverses<T>(stream_, tile_, true, false, inverses.block(0, n_, inverses.rows, n_), growth);
        fetch(memory_->growth.in(memory_->pinned), growth, memory_->growth.bytes(), "fetching a growth");
        drain();
        return double_of_bits(*memory_->growth.in(memory_->pinned));
    }

    void factor_on_host() {
        std::vector<T> memory(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
        std::vector<unsigned char> record(has_record() ? static_cast<std::size_t>(PivotRecord<T>::bytes(n_)) : 0);
        const DenseView<T> tile{memory.data(), n_, n_, n_};
        fetch(tile, saved());
        drain();
        factor_diagonal_on_host<T>(a_, tile, record.data(), outcome());
        gpu::send(tile_, tile);
        if (has_record()) gpu::send(record_bytes_, record.data(), record.size(), "sending a pivot record");
        drain();
    }

    const FactorDiagonalArguments& a_;
    void** buffers_;
    DenseView<T> tile_;
    index_t n_;
    Stream stream_;
    bool searches_;
    StepPlan steps_;
    unsigned char* record_bytes_ = nullptr;  // null: L L^T
    std::vector<DenseFront<T>> fronts_;
    std::optional<DiagonalMemory<T>> memory_;
};

}  // namespace

template <class T>
void factor_diagonal(void* buffers[], void* raw) noexcept {
    run_task<FactorDiagonalArguments>(raw, [&](const FactorDiagonalArguments& a) {
        const DrainAtExit drained;
        DiagonalTask<T>(a, buffers).run();
    });
}

#define FROND_INSTANTIATE(T) template void factor_diagonal<T>(void*[], void*) noexcept;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
