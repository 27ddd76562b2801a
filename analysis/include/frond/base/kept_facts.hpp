// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <any>
#include <mutex>
#include <typeindex>
#include <utility>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// What follows from an object that does not change, kept with it once somebody has asked: a walk over all fronts takes
/// milliseconds, as long as a small factorization on a device. Copies begin without. Any thread may ask.
class KeptFacts {
public:
    KeptFacts() = default;
    KeptFacts(const KeptFacts&) noexcept {}
    KeptFacts(KeptFacts&&) noexcept {}
    KeptFacts& operator=(const KeptFacts&) noexcept { return forget(); }
    KeptFacts& operator=(KeptFacts&&) noexcept { return forget(); }
    ~KeptFacts() = default;

    /// What make() gave, which is called once for each Name and number. Name: a type that stands for the question.
    template <class Name, class Make>
    auto of(count_t number, const Make& make) const {
        using Value = decltype(make());
        const std::pair key(std::type_index(typeid(Name)), number);
        const std::lock_guard lock(mutex_);
        for (const auto& [known, value] : facts_)
            if (known == key) return std::any_cast<Value>(value);
        return std::any_cast<Value>(facts_.emplace_back(key, make()).second);
    }

private:
    KeptFacts& forget() noexcept {
        const std::lock_guard lock(mutex_);
        facts_.clear();
        return *this;
    }

    mutable std::mutex mutex_;
    mutable std::vector<std::pair<std::pair<std::type_index, count_t>, std::any>> facts_;
};

}  // namespace frond
