// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "system/residual_sizes.hpp"

#include <functional>
#include <span>
#include <vector>

namespace frond {

/// Right-hand sides B of op(A) X = B and their solutions, in the memory of the host or of a device: what iterative
/// refinement does with them. refine() decides from the sizes alone.
/// One block of right-hand sides at a time is worked on, from take() to give(). Each column has a trial solution and
/// the best one so far. `columns` are numbers within the block, ascending; every list is a subset of the one before.
/// Two threads may not use it at a time.
class RefinedSystem {
public:
    RefinedSystem() = default;
    RefinedSystem(const RefinedSystem&) = delete;
    RefinedSystem& operator=(const RefinedSystem&) = delete;
    virtual ~RefinedSystem() = default;

    /// The columns of B.
    virtual index_t columns() const = 0;
    /// The widest block.
    virtual index_t most_at_once() const = 0;
    /// ||op(A)||_inf
    virtual double norm() const = 0;

    /// body() on each process that has rows of the solutions; what one of them throws, all of them throw.
    virtual void together(const std::function<void()>& body) { body(); }
    /// The next block: columns first .. first + count of B. Trial solutions: what refinement begins with.
    virtual void take(index_t first, index_t count) = 0;
    /// r := b - op(A) x of trial solutions x, and what it says, in the order of `columns`.
    virtual std::vector<ResidualSizes> measure(std::span<const index_t> columns) = 0;
    /// trial := best + op(A)^-1 r by the factors. Each of `columns` was measured last as trial solution.
    virtual void correct(std::span<const index_t> columns) = 0;
    /// best := trial
    virtual void accept(std::span<const index_t> columns) = 0;
    /// The best solutions of the block are the caller's X.
    virtual void give() = 0;
};

}  // namespace frond
