// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::gpu {

/// One factorization of a tree: what is the same wherever StarPU puts values and factors, and where it put them.
template <class T>
struct TreeRun {
    const Pattern* pattern = nullptr;  // of the matrix
    const Scaling* scaling = nullptr;
    /// Of a matrix whose largest entry is 1; all its sizes are proportional to that entry.
    PivotRule rule_of_one;
    /// Relative to the parts, or in pinned memory of the host. Tables stay while this is the same object.
    std::shared_ptr<const FrontFactorViewss<T>> places;
    bool on_host = false;

    // By the task:
    const T* values = nullptr;  // [entries of the matrix], on the first device
    std::vector<unsigned char*> parts;  // where they begin, there
};

}  // namespace frond::gpu
