// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "frond/base/types.hpp"

namespace frond::detail {

/// The few items that were kept last: what one solver leaves must not go as soon as another takes its turn.
template <class Item>
class RecentlyKept {
public:
    static constexpr std::size_t most = 4;

    /// The latest one that matches, which is the caller's then.
    template <class Match>
    std::optional<Item> take(const Match& match) {
        const auto found = std::find_if(items_.rbegin(), items_.rend(), match);
        if (found == items_.rend()) return std::nullopt;
        std::optional<Item> taken(std::move(*found));
        items_.erase(std::next(found).base());
        return taken;
    }
    /// Returns what goes for it, to be destroyed by the caller.
    [[nodiscard]] std::optional<Item> keep(Item item) {
        std::optional<Item> oldest;
        if (items_.size() == most) {
            oldest.emplace(std::move(items_.front()));
            items_.erase(items_.begin());
        }
        items_.push_back(std::move(item));
        return oldest;
    }
    [[nodiscard]] std::vector<Item> take_all() { return std::exchange(items_, {}); }
    template <class Bytes>
    count_t sum(const Bytes& bytes) const {
        count_t all = 0;
        for (const Item& item : items_) all += bytes(item);
        return all;
    }

private:
    std::vector<Item> items_;  // the latest last
};

}  // namespace frond::detail
