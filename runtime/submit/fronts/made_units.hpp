// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/dense_view.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "frond/reports.hpp"

namespace frond::detail {

/// A contribution block in the memory of a node of StarPU.
template <class T>
struct MadeBlock {
    DenseView<T> view;  // without data: there is none
    unsigned node = 0;
};

/// Units of a tree that are factored together, before the others and not by tasks of their own: those of a rank's branches,
/// on its devices. None of their columns goes to a front above them.
template <class T>
class MadeUnits {
public:
    MadeUnits() = default;
    MadeUnits(const MadeUnits&) = delete;
    MadeUnits& operator=(const MadeUnits&) = delete;
    virtual ~MadeUnits() = default;

    /// Factors them, or leaves all of them to tasks; then has() is false for all. @throws what the factorization throws
    virtual void make() = 0;
    /// True: these units have that of the front (a subtree's root).
    virtual bool has(index_t front) const = 0;
    /// True: each device has room for tasks on tiles in addition to what it keeps of these units, and for blocks that
    /// are elsewhere. After make().
    virtual bool leaves_room_for_tiles() const = 0;
    /// [ncb, ncb] The contribution block that the root of a branch leaves, until end().
    virtual MadeBlock<T> block(index_t front) const = 0;
    /// Adds what was found to the reports.
    virtual void collect(FactorReport& report, PivotReport& pivots) const = 0;
    /// Frees the blocks, when nobody reads them any more.
    virtual void end() noexcept = 0;
};

}  // namespace frond::detail
