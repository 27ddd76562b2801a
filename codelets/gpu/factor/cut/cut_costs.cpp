// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cut/cut_costs.hpp"

#include <algorithm>

#include "factor/tree_launches.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// Places of the factors, and numbers that are written there: the upper triangle of a symmetric front's pivot block is
/// not.
struct FactorScalars {
    count_t places = 0, written = 0;

    void add(const Front& front, Factorization kind) {
        const count_t size = front_panels(front, kind).size;
        const count_t upper = kind == Factorization::lu ? 0 : static_cast<count_t>(front.npiv) * (front.npiv - 1) / 2;
        places += size;
        written += size - upper;
    }
};

std::vector<FactorScalars> factors_of_devices(const Analysis& analysis, const SubtreePlan& plan) {
    std::vector<FactorScalars> factors(at(plan.devices()));
    for (const SubtreePlan::Range& range : plan.ranges())
        for (index_t f = range.first_front; f <= range.last_front; ++f)
            factors[at(std::max<index_t>(range.device, 0))].add(analysis.tree.fronts[at(f)], analysis.factorization);
    return factors;
}

count_t launches_of(const AssemblyTree& tree, const SubtreePlan& plan, const SubtreePlan::Level& level) {
    index_t pivots = 0;
    for (index_t k = level.first; k < level.last; ++k)
        pivots = std::max(pivots, tree.fronts[at(plan.fronts()[at(k)])].npiv);
    return launches_of_level + launches_of_step * (1 + pivots / step_columns) +
           launches_of_strip * (level.last_strip - level.first_strip);
}

/// Seconds of a factorization by one cut, on each device.
class SecondsOfDevices {
public:
    SecondsOfDevices(const Analysis& analysis, const PieceCut& cut, const CutCosts& costs)
        : analysis_(analysis), cut_(cut), costs_(costs), seconds_(at(cut.plan.devices()), 0.0) {
        add_levels();
        add_saved_blocks();
    }

    void add_factors(const std::vector<FactorScalars>& factors, const std::vector<count_t>& to_host) {
        for (std::size_t d = 0; d < seconds_.size(); ++d)
            if (to_host[d] > 0)
                add_moved(static_cast<index_t>(d), static_cast<double>(to_host[d]) *
                                                       static_cast<double>(factors[d].written) /
                                                       static_cast<double>(factors[d].places));
    }

    double most() const { return *std::max_element(seconds_.begin(), seconds_.end()); }

private:
    void add_levels() {
        for (const SubtreePlan::Range& range : cut_.plan.ranges())
            for (index_t l = range.first_level; l < range.last_level; ++l) {
                const count_t launches = launches_of(analysis_.tree, cut_.plan, cut_.plan.levels()[at(l)]);
                seconds_[at(std::max<index_t>(range.device, 0))] +=
                    costs_.level_seconds + costs_.launch_seconds * static_cast<double>(launches);
            }
    }

    /// There and back; of symmetric ones the lower half.
    void add_saved_blocks() {
        const double part = analysis_.factorization == Factorization::lu ? 1 : 0.5;
        const auto& ranges = cut_.plan.ranges();
        for (const SavedBlock& block : cut_.saved.blocks()) {
            if (!cut_.saved.rooms()[at(block.room)].on_host) continue;
            for (const index_t piece : {block.made, block.used})
                if (piece < static_cast<index_t>(ranges.size()))
                    add_moved(std::max<index_t>(ranges[at(piece)].device, 0),
                              part * static_cast<double>(block.scalars));
        }
    }

    void add_moved(index_t device, double scalars) {
        seconds_[at(device)] += scalars * static_cast<double>(costs_.scalar_bytes) / costs_.link_bytes_per_second;
    }

    const Analysis& analysis_;
    const PieceCut& cut_;
    const CutCosts& costs_;
    std::vector<double> seconds_;
};

std::vector<count_t> without_room(const PieceCut& cut, const std::vector<FactorScalars>& factors,
                                  count_t most_scalars) {
    std::vector<count_t> scalars;
    for (index_t d = 0; d < cut.plan.devices(); ++d) {
        const count_t left =
            most_scalars - cut.plan.square_scalars(d) - cut.plan.shared_scalars() - cut.saved.device_scalars(d);
        const count_t places = factors[at(d)].places;
        scalars.push_back(std::clamp<count_t>(places - left, 0, places));
    }
    return scalars;
}

}  // namespace

std::vector<count_t> factors_without_room(const Analysis& analysis, const PieceCut& cut, count_t most_scalars) {
    return without_room(cut, factors_of_devices(analysis, cut.plan), most_scalars);
}

CutSeconds seconds_of_cut(const Analysis& analysis, const PieceCut& cut, count_t most_scalars, const CutCosts& costs) {
    const std::vector<FactorScalars> factors = factors_of_devices(analysis, cut.plan);
    const std::vector<count_t> to_host = without_room(cut, factors, most_scalars);
    SecondsOfDevices seconds(analysis, cut, costs);
    seconds.add_factors(factors, to_host);
    count_t written = 0;
    for (const FactorScalars& of_device : factors) written += of_device.written;
    const bool on_device = std::all_of(to_host.begin(), to_host.end(), [](count_t scalars) { return scalars == 0; });
    const double read_bytes = 2 * static_cast<double>(written * costs.scalar_bytes);
    return {seconds.most(),
            read_bytes / (on_device ? costs.device_read_bytes_per_second : costs.host_read_bytes_per_second)};
}

}  // namespace frond::gpu
