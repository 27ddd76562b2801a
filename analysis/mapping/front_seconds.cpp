// SPDX-License-Identifier: BSD-3-Clause
#include "front_seconds.hpp"

#include <algorithm>

namespace frond {

FrontSeconds::FrontSeconds(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices,
                           const ShareCosts& costs)
    : costs_(costs), devices_(devices), one_(tree.fronts.size()), by_all_(one_), all_(one_), path_(one_) {
    for (std::size_t f = 0; f < one_.size(); ++f) {
        const Front& front = tree.fronts[f];
        const double latency = costs.front_seconds + costs.pivot_seconds * front.npiv;
        const double bytes = static_cast<double>(costs.scalar_bytes) * front.nfront * front.nfront;
        const double work = front_flops[f] / costs.flops_per_second + bytes / costs.bytes_per_second;
        one_[f] = work + latency;
        by_all_[f] = costs.front_seconds + bytes / costs.bytes_per_second / devices +
                     of_blocks(front, front_flops[f] / costs.flops_per_second / devices);
        all_[f] += work;
        path_[f] += latency;
        if (front.parent < 0) continue;
        all_[at(front.parent)] += all_[f];
        path_[at(front.parent)] = std::max(path_[at(front.parent)], path_[f]);
    }
}

/// The elimination of each block, or the products that all devices make meanwhile. products: seconds of all of them.
double FrontSeconds::of_blocks(const Front& front, double products) const {
    const double pivots = front.npiv, rows = front.nfront, width = std::min<double>(costs_.block_columns, pivots);
    const auto entries = [](double height, double width_of) {
        return width_of * (height * height - height * width_of + width_of * width_of / 3);
    };
    double seconds = 0;
    for (double first = 0; first < pivots; first += width) {
        if (front.ncb() == 0 && pivots - first <= costs_.tail_columns)
            return seconds + costs_.pivot_seconds * (pivots - first) +
                   products * devices_ * entries(rows - first, pivots - first) / entries(rows, pivots);
        const double behind = rows - first;
        const double panel = costs_.block_seconds + behind * width * width / costs_.panel_flops_per_second;
        const double share = entries(behind, std::min(width, pivots - first)) / entries(rows, pivots);
        seconds += std::max(panel, products * share);
    }
    return seconds;
}

}  // namespace frond
