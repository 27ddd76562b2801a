// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/resident_factorization.hpp"

#include "factor/planned_factorization.hpp"
#include "factor/tree_launches.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/gpu/branch_work.hpp"
#include "kernels/dense/eliminate.hpp"

#include <algorithm>

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

namespace {

struct Level {
    count_t scalars = 0, steps = 0;  // steps: of the front with most, which goes through them with all others
};

index_t square_ld_of(index_t order) { return order < 64 ? order : (order + 7) / 8 * 8; }

void add_front(const Front& front, Level& level) {
    level.scalars += round_up_8(static_cast<count_t>(square_ld_of(front.nfront)) * front.nfront);
    level.steps = std::max<count_t>(level.steps, (front.npiv + step_columns - 1) / step_columns);
}

/// [levels] the roots first.
std::vector<Level> levels_below(const AssemblyTree& tree, const std::vector<index_t>& roots) {
    std::vector<Level> levels;
    for (const index_t root : roots) {
        const index_t first = tree.first_descendant[at(root)];
        std::vector<index_t> depth(at(root - first + 1), 0);
        for (index_t f = root; f >= first; --f) {
            if (f < root) depth[at(f - first)] = depth[at(tree.fronts[at(f)].parent - first)] + 1;
            if (levels.size() <= at(depth[at(f - first)])) levels.resize(at(depth[at(f - first)]) + 1);
            add_front(tree.fronts[at(f)], levels[at(depth[at(f - first)])]);
        }
    }
    return levels;
}

}  // namespace

BranchWork work_of_branches(const Analysis& analysis, const std::vector<index_t>& roots, count_t scalar_bytes) {
    const AssemblyTree& tree = analysis.tree;
    const std::vector<Level> levels = levels_below(tree, roots);
    BranchWork work;
    work.levels = static_cast<count_t>(levels.size());
    count_t before = 0;
    for (const Level& level : levels) {
        work.square_bytes += level.scalars * scalar_bytes;
        work.launches += launches_of_level + launches_of_step * level.steps;
        work.most_square_bytes = std::max(work.most_square_bytes, (before + level.scalars) * scalar_bytes);
        before = level.scalars;
    }
    for (const index_t root : roots)
        for (index_t f = tree.first_descendant[at(root)]; f <= root; ++f) {
            work.flops += analysis.cost.front_flops[at(f)];
            work.factor_bytes += front_panels(tree.fronts[at(f)], analysis.factorization).size * scalar_bytes;
        }
    return work;
}

}  // namespace frond::gpu
