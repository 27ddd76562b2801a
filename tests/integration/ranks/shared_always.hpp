// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ranked/tree/sharing.hpp"

namespace frond::test {

/// Several ranks factor little trees together, too, while this lives.
class SharedAlways {
public:
    SharedAlways() { detail::share_always() = true; }
    SharedAlways(const SharedAlways&) = delete;
    SharedAlways& operator=(const SharedAlways&) = delete;
    ~SharedAlways() { detail::share_always() = false; }
};

/// And little fronts, where fronts can be shared.
class FrontsSharedAlways : SharedAlways {
public:
    FrontsSharedAlways() { detail::share_fronts_always() = true; }
    ~FrontsSharedAlways() { detail::share_fronts_always() = false; }
};

}  // namespace frond::test
