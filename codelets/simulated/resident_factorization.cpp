// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include "factor/planned_factorization.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::gpu {
namespace {

/// The plan of a factorization whose pieces no card runs: they take their time, and all pivots are good.
template <class T>
class SimulatedFactorization final : public PlannedFactorization<T> {
public:
    using PlannedFactorization<T>::PlannedFactorization;

    void be_ready() override {}
    void run(const PieceRun<T>&) override {}
    void run(const ColumnsRun&) override {}
    void put_pivots(index_t, const cpu::PiecePivots<T>&) override {}
    cpu::PiecePivots<T> pivots_of(index_t) const override { return {}; }
    const unsigned char* copy_of_block(index_t) const override { return nullptr; }
    bool finish(const PivotRule&, const ParallelFor&, typename ResidentFactorization<T>::Answer&) override {
        return true;
    }
    const T* pivots() const override { return nullptr; }
    const index_t* perm() const override { return nullptr; }
    std::vector<double> front_seconds() const override { return {}; }
    double largest_entry() const override { return 1; }
    const std::vector<FailedPivot>& failed_pivots() const noexcept override { return none_; }

private:
    std::vector<FailedPivot> none_;
};

}  // namespace

template <class T>
std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization(const std::vector<Device>& devices,
                                                                      std::shared_ptr<const Analysis> analysis,
                                                                      const PlanRequest& request,
                                                                      const ParallelFor& parallel_for) {
    return std::make_unique<SimulatedFactorization<T>>(devices.size(), std::move(analysis), request, parallel_for);
}

#define FROND_INSTANTIATE(T)                                                           \
    template std::unique_ptr<ResidentFactorization<T>> plan_resident_factorization<T>( \
        const std::vector<Device>&, std::shared_ptr<const Analysis>, const PlanRequest&, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu
