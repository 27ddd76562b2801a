// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

/// Which of the devices that a process sees are its own, where `of` ranks of a node see the same ones: as many as the others,
/// or one more or less, next to each other. Where there are fewer devices than ranks, the first ranks have one each.
struct DevicePart {
    index_t number = 0, of = 1;

    std::vector<int> devices(index_t seen) const {
        std::vector<int> own;
        const index_t parts = seen < of ? seen : of;
        if (number >= parts) return own;
        for (index_t d = seen * number / parts; d < seen * (number + 1) / parts; ++d)
            own.push_back(static_cast<int>(d));
        return own;
    }
};

}  // namespace frond::detail
