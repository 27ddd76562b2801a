// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/base/types.hpp"

namespace frond::detail {

/// What follows from an analysis and a scalar alone, of the few that were asked for last: a walk over all fronts takes
/// milliseconds, as long as a small factorization on a device. Any thread may ask.
template <class Value>
class KeptOfAnalysis {
public:
    /// What make() gave for that analysis; make is called once while it is kept.
    template <class T, class Make>
    Value of(const std::shared_ptr<const Analysis>& analysis, const Make& make) {
        constexpr std::size_t scalar = 2 * sizeof(T) + (is_complex<T> ? 1 : 0);
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
            return item.scalar == scalar && !item.analysis.owner_before(analysis) &&
                   !analysis.owner_before(item.analysis);
        });
        if (found != items_.end()) return found->value;
        if (items_.size() == most) items_.erase(items_.begin());
        return items_.emplace_back(Item{analysis, scalar, make()}).value;
    }

private:
    static constexpr std::size_t most = 8;
    struct Item {
        std::weak_ptr<const Analysis> analysis;  // the same owner, even of one that has gone, is the same analysis
        std::size_t scalar;
        Value value;
    };

    std::mutex mutex_;
    std::vector<Item> items_;  // the latest last
};

}  // namespace frond::detail
