// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "frond/base/types.hpp"

namespace frond {

/// What the tiles of one panel say to threshold pivoting, from tasks that run at the same time.
struct PanelLimit {
    std::atomic<index_t> columns{0};  // no tile lets more columns of the panel stay
    std::atomic<double> largest_l{0};  // largest |l_ij| (complex: |re| + |im|) that passed

    /// One tile's answer, see cpu::first_column_above.
    void add(index_t first_above, double largest) noexcept {
        index_t least = columns.load(std::memory_order_relaxed);
        while (first_above < least && !columns.compare_exchange_weak(least, first_above, std::memory_order_relaxed)) {
        }
        double most = largest_l.load(std::memory_order_relaxed);
        while (largest > most && !largest_l.compare_exchange_weak(most, largest, std::memory_order_relaxed)) {
        }
    }
};

}  // namespace frond
