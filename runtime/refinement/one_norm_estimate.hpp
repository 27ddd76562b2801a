// SPDX-License-Identifier: BSD-3-Clause
// ||M||_1 of a matrix that is known by its products alone (Higham & Tisseur 2000, algorithm 2.4).
#pragma once

#include "system/linear_system.hpp"

namespace frond {

struct OneNormOptions {
    index_t columns = 2;  // t of the paper: vectors that go through M together
    index_t max_rounds = 5;  // of two products each
};

/// max_x ||M x||_1 / ||x||_1 over the few x tried: never above ||M||_1 but for rounding, exact for n
/// <= columns, mostly within a factor 3 and often exact. Infinite when a product is not finite.
/// Random signs come from a fixed seed: the same M gives the same estimate.
template <class T>
double estimate_one_norm(index_t n, const ApplyBlock<T>& apply, const ApplyBlock<T>& apply_adjoint,
                         const OneNormOptions& options = {});

}  // namespace frond
