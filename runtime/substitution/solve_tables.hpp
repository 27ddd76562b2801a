// SPDX-License-Identifier: BSD-3-Clause
// What solves on a device keep beyond the life of the factors.
#pragma once

#include <memory>
#include <mutex>

#include "frond/gpu/resident_solve.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// What solves on the device need of an analysis and its matrices' pattern; shared by all its factors.
class SolveTables {
public:
    /// The tables of the analysis, kept while it lives (and until the next call: a solver drops its old factors before
    /// it makes new ones).
    static std::shared_ptr<SolveTables> of(const std::shared_ptr<const Analysis>& analysis);

    const std::shared_ptr<const gpu::ResidentPlan>& plan() const noexcept { return plan_; }
    /// The pattern of the matrix, or of its transpose. Made when first asked for, by parallel_for. The analysis must
    /// live.
    std::shared_ptr<const gpu::SystemPattern> pattern(const Pattern& pattern, Symmetry symmetry, bool transposed,
                                                      const ParallelFor& parallel_for);

private:
    std::weak_ptr<const Analysis> analysis_;
    std::shared_ptr<const gpu::ResidentPlan> plan_;
    std::mutex mutex_;  // of the patterns
    std::shared_ptr<const gpu::SystemPattern> pattern_, transposed_;
};

/// What solves on the device with factors that went leave for factors of the same analysis: tables, lists, vectors, and
/// the memory of inverses and matrix.
template <class T>
struct SpareSolve final : DeviceWorkspace {
    std::shared_ptr<const Analysis> analysis;
    int device = 0;
    count_t bytes = 0;  // without factors
    std::unique_ptr<gpu::ResidentSolve<T>> solve;

    count_t device_bytes() const noexcept override { return bytes; }
    const void* subject() const noexcept override { return analysis.get(); }
};

}  // namespace frond::detail
