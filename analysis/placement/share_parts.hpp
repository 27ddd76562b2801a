// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/pieces.hpp"
#include "frond/base/vector_index.hpp"

#include <vector>

namespace frond {

/// Estimated seconds of fronts and subtrees on one device, and of fronts that all devices do.
class FrontSeconds {
public:
    /// costs: outlives this.
    FrontSeconds(const AssemblyTree& tree, const std::vector<double>& front_flops, index_t devices,
                 const ShareCosts& costs);

    double of_front(index_t front) const { return one_[at(front)]; }
    double of_front_by_all(index_t front) const { return by_all_[at(front)]; }
    /// The seconds of a subtree: its work, which adds up over subtrees done at a time, and its longest path, which does
    /// not.
    double work(index_t subtree) const { return all_[at(subtree)]; }
    double path(index_t subtree) const { return path_[at(subtree)]; }
    double of_subtree(index_t subtree) const { return work(subtree) + path(subtree); }
    /// A contribution block with so many rows to another device.
    double moved(index_t ncb) const {
        return static_cast<double>(costs_.scalar_bytes) * ncb * ncb / costs_.moved_bytes_per_second;
    }

private:
    double of_blocks(const Front& front, double products) const;

    const ShareCosts& costs_;
    index_t devices_;
    std::vector<double> one_, by_all_;
    std::vector<double> all_, path_;
};

/// The costliest subtrees first, each to the device that has least to do. Ascending.
std::vector<SharedPart> deal_costliest_first(std::vector<index_t> subtrees, index_t devices,
                                             const FrontSeconds& seconds);

/// Ascending subtrees in as many blocks of neighbours as devices, the largest as small as may be, by bisection.
std::vector<SharedPart> deal_in_order(const std::vector<index_t>& subtrees, index_t devices,
                                      const FrontSeconds& seconds);

}  // namespace frond
