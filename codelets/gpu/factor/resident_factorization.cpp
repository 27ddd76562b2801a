// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include <cmath>
#include <utility>

#include "factor/planned_factorization.hpp"
#include "factor/tree_on_devices.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

template <class T>
class FactorizationOnDevices final : public PlannedFactorization<T> {
public:
    FactorizationOnDevices(const std::vector<Device>& devices, std::shared_ptr<const Analysis> analysis,
                           const PlanRequest& request, const ParallelFor& parallel_for)
        : PlannedFactorization<T>(devices.size(), std::move(analysis), request, parallel_for),
          tree_(devices, this->analysis(), this->plan()) {}

    void be_ready() override { tree_.be_ready(); }

    void run(const PieceRun<T>& piece) override {
        const CurrentDevice current(tree_.devices()[at(this->pieces()[at(piece.piece)].device)].device);
        tree_.run(piece);
    }

    void run(const ColumnsRun& columns) override {
        const CurrentDevice current(tree_.devices()[at(columns.device)].device);
        tree_.run(columns);
    }

    void put_pivots(index_t piece, const cpu::PiecePivots<T>& pivots) override { tree_.put_pivots(piece, pivots); }
    cpu::PiecePivots<T> pivots_of(index_t piece) const override { return tree_.pivots_of(piece); }
    const unsigned char* copy_of_block(index_t front) const override { return tree_.copy_of_block(front); }

    bool finish(const PivotRule& rule, const ParallelFor& parallel_for,
                typename ResidentFactorization<T>::Answer& answer) override {
        failed_pivots_.clear();
        if (!std::isfinite(tree_.largest_entry())) return false;
        tree_.collect();
        if (tree_.has_failed()) {
            failed_pivots_ = tree_.failed_pivots();
            return false;
        }
        answer.perm.assign(tree_.perm(), tree_.perm() + this->plan().perm_size());
        answer.report = tree_.report(rule.threshold > 0, parallel_for);
        return true;
    }

    const T* pivots() const override { return tree_.pivots(); }
    const index_t* perm() const override { return this->plan().perm_size() > 0 ? tree_.perm() : nullptr; }
    std::vector<double> front_seconds() const override { return tree_.front_seconds(); }
    double largest_entry() const override { return tree_.largest_entry(); }
    const std::vector<FailedPivot>& failed_pivots() const noexcept override { return failed_pivots_; }

private:
    TreeOnDevices<T> tree_;
    std::vector<FailedPivot> failed_pivots_;
};

}  // namespace

template <class T>
std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization(const std::vector<Device>& devices,
                                                                      std::shared_ptr<const Analysis> analysis,
                                                                      const PlanRequest& request,
                                                                      const ParallelFor& parallel_for) {
    return std::make_unique<FactorizationOnDevices<T>>(devices, std::move(analysis), request, parallel_for);
}

#define FROND_INSTANTIATE(T)                                                           \
    template std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization<T>( \
        const std::vector<Device>&, std::shared_ptr<const Analysis>, const PlanRequest&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
