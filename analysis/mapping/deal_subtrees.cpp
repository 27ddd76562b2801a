// SPDX-License-Identifier: BSD-3-Clause
#include "deal_subtrees.hpp"

#include <algorithm>
#include <utility>

namespace frond {
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
