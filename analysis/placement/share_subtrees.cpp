// SPDX-License-Identifier: BSD-3-Clause
#include "share_parts.hpp"

#include <algorithm>
#include <utility>

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

namespace {

/// Neighbours in the tree to the same device, none with more than `most`; the last device takes what is left.
std::vector<SharedPart> deal_up_to(double most, const std::vector<index_t>& subtrees, index_t devices,
                                   const FrontSeconds& seconds, double& largest) {
    std::vector<SharedPart> parts;
    index_t device = 0;
    double all = 0, path = 0;
    largest = 0;
    for (const index_t s : subtrees) {
        const double with = all + seconds.work(s) + std::max(path, seconds.path(s));
        if (with > most && all > 0 && device + 1 < devices) all = path = 0, ++device;
        all += seconds.work(s);
        path = std::max(path, seconds.path(s));
        largest = std::max(largest, all + path);
        parts.push_back({s, true, device});
    }
    return parts;
}

}  // namespace

std::vector<SharedPart> deal_costliest_first(std::vector<index_t> subtrees, index_t devices,
                                             const FrontSeconds& seconds) {
    std::sort(subtrees.begin(), subtrees.end(), [&](index_t a, index_t b) {
        return seconds.of_subtree(a) > seconds.of_subtree(b) ||
               (seconds.of_subtree(a) == seconds.of_subtree(b) && a < b);
    });
    std::vector<double> load(at(devices), 0.0);
    std::vector<SharedPart> parts;
    for (const index_t s : subtrees) {
        const auto least = std::min_element(load.begin(), load.end());
        parts.push_back({s, true, static_cast<index_t>(least - load.begin())});
        *least += seconds.of_subtree(s);
    }
    std::sort(parts.begin(), parts.end(), [](const SharedPart& a, const SharedPart& b) { return a.root < b.root; });
    return parts;
}

std::vector<SharedPart> deal_in_order(const std::vector<index_t>& subtrees, index_t devices,
                                      const FrontSeconds& seconds) {
    constexpr int halvings = 24;
    double enough = 0, too_little = 0, largest = 0;
    for (const index_t s : subtrees) enough += seconds.of_subtree(s);
    std::vector<SharedPart> best = deal_up_to(enough, subtrees, devices, seconds, largest);
    for (int k = 0; k < halvings; ++k) {
        const double most = (enough + too_little) / 2;
        std::vector<SharedPart> parts = deal_up_to(most, subtrees, devices, seconds, largest);
        if (largest > most) {
            too_little = most;
            continue;
        }
        enough = most;
        best = std::move(parts);
    }
    return best;
}

}  // namespace frond
