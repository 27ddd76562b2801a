// SPDX-License-Identifier: BSD-3-Clause
// The diagonal tile as a front of its own. Where a pivot is not plainly good, the tile as it was goes to the
// host, is factored there and comes back.
#include "factor_diagonal.hpp"

#include <limits>
#include <vector>

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
#include "worker/drain.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {
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
          searches_(a.searches_tile && a.kind == Factorization::lu),
          steps_(std::numeric_limits<index_t>::max(), searches_ ? PivotSearch::front : PivotSearch::block) {
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
        steps_.add(a_.kind, fronts_, 0, 1, cuts);
        DeviceLayout layout;
        front_at_ = layout.add<DenseFront<T>>(1);
        steps_at_ = layout.add<FrontStep>(steps_.steps.size());
        growth_at_ = layout.add<unsigned long long>(1);
        answer_at_ = layout.add<EliminateAnswer>(1);
        sent_bytes_ = layout.bytes();
        pivots_at_ = layout.add<T>(2 * static_cast<std::size_t>(n_));
        fetched_end_ = layout.bytes();
        saved_at_ = layout.add<T>(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
        if (searches_) {
            row_of_at_ = layout.add<index_t>(static_cast<std::size_t>(n_));
            swaps_at_ = layout.add<RowSwaps>(1);
            selections_at_ = layout.add<PivotSelection>(static_cast<std::size_t>(pivot_selections(n_)));
        }
        WorkerContext& context = worker_context();
        device_ = context.device.at_least(layout.bytes());
        pinned_ = context.pinned.at_least(fetched_end_);
    }

    void eliminate() {
        const DenseFront<T>* const front = front_at_.in(device_);
        if (searches_) begin_row_order<T>(stream_, front, 1);
        for (const StepLaunch& launch : steps_.launches)
            eliminate_step<T>(stream_, front, steps_at_.in(device_), launch, a_.kind, answer_at_.in(device_));
        if (searches_) end_row_order<T>(stream_, front, 1);
    }

    DenseView<T> saved() const { return {saved_at_.in(device_), n_, n_, n_}; }

    void prepare_search() {
        DenseFront<T>& front = fronts_.front();
        front.row_of = row_of_at_.in(device_);
        front.swaps = swaps_at_.in(device_);
        if (selections_at_.count == 0) return;
        front.selections = selections_at_.in(device_);
        check(FROND_GPU(MemsetAsync)(front.selections, 0, selections_at_.bytes(), stream_),
              "clearing the counters of a search for pivots");
    }

    void send() {
        if (searches_) prepare_search();
        *front_at_.in(pinned_) = fronts_.front();
        std::copy(steps_.steps.begin(), steps_.steps.end(), steps_at_.in(pinned_));
        *answer_at_.in(pinned_) = EliminateAnswer(eliminate_rule<T>(a_.kind, a_.rule, a_.rule.threshold > 0));
        gpu::send(device_, pinned_, sent_bytes_, "sending the steps of a tile");
        copy_block<T>(stream_, tile_, saved());
        if (!has_record()) return;
        check(FROND_GPU(MemsetAsync)(record().replaced, 0, sizeof(T) * static_cast<std::size_t>(n_), stream_),
              "clearing replaced pivots");
    }

    /// The answer and the pivots, which the host counts; false: the tile is spoilt.
    bool fetch_answer() {
        const DenseView<T> pivots{pivots_at_.in(device_), 1, indefinite() ? 2 * n_ : n_, 1};
        if (indefinite())
            copy_block<T>(stream_, {record().pivots, 1, 2 * n_, 1}, pivots);
        else
            copy_block<T>(stream_, {tile_.data, 1, n_, tile_.ld + 1}, pivots);
        fetch(answer_at_.in(pinned_), answer_at_.in(device_), fetched_end_ - answer_at_.at,
              "fetching the pivots of a tile");
        drain();
        return answer_at_.in(pinned_)->failed == 0;
    }

    void report() const { outcome().counts += count_eliminated<T>(a_.kind, n_, pivots_at_.in(pinned_)); }

    void invert() {
        const DenseView<T> inverses = matrix_buffer<T>(buffers_, 2);
        const bool unit = a_.kind != Factorization::llt;
        invert_blocks<T>(stream_, tile_, false, unit, inverses.block(0, 0, inverses.rows, n_));
        if (a_.kind == Factorization::lu)
            invert_blocks<T>(stream_, tile_, true, false, inverses.block(0, n_, inverses.rows, n_));
        outcome().inverses_usable = largest_growth(inverses) <= most_growth;
    }

    /// Of the inverses, for the accuracy of what is computed with them: infinity when one is not finite.
    double largest_growth(DenseView<const T> inverses) {
        auto* const growth = growth_at_.in(device_);
        check(FROND_GPU(MemsetAsync)(growth, 0, growth_at_.bytes(), stream_), "clearing a growth");
        const bool unit = a_.kind != Factorization::llt;
        measure_inverses<T>(stream_, tile_, false, unit, inverses.block(0, 0, inverses.rows, n_), growth);
        if (a_.kind == Factorization::lu)
            measure_inverses<T>(stream_, tile_, true, false, inverses.block(0, n_, inverses.rows, n_), growth);
        fetch(growth_at_.in(pinned_), growth, growth_at_.bytes(), "fetching a growth");
        drain();
        return double_of_bits(*growth_at_.in(pinned_));
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
    Place<DenseFront<T>> front_at_;
    Place<FrontStep> steps_at_;
    Place<EliminateAnswer> answer_at_;
    Place<T> pivots_at_, saved_at_;
    Place<unsigned long long> growth_at_;
    Place<index_t> row_of_at_;  // where pivots are searched for, and the next two
    Place<RowSwaps> swaps_at_;
    Place<PivotSelection> selections_at_;
    std::size_t sent_bytes_ = 0, fetched_end_ = 0;
    void* device_ = nullptr;
    void* pinned_ = nullptr;
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
