// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/solve_tables.hpp"

#include <vector>

#include "substitution/system_by_rows.hpp"

namespace frond::detail {

std::shared_ptr<SolveTables> SolveTables::of(const std::shared_ptr<const Analysis>& analysis) {
    static std::mutex mutex;
    static std::vector<std::shared_ptr<SolveTables>>& all = *new std::vector<std::shared_ptr<SolveTables>>;
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto& tables) { return tables->analysis_.expired(); });
    for (const auto& known : all)
        if (known->analysis_.lock() == analysis) return known;
    auto tables = std::make_shared<SolveTables>();
    tables->analysis_ = analysis;
    tables->plan_ = gpu::plan_resident_solve(*analysis);
    all.push_back(tables);
    return tables;
}

std::shared_ptr<const gpu::SystemPattern> SolveTables::pattern(const Pattern& pattern, Symmetry symmetry,
                                                               bool transposed, const ParallelFor& parallel_for) {
    const std::lock_guard lock(mutex_);
    auto& kept = transposed ? transposed_ : pattern_;
    if (kept == nullptr) kept = system_pattern(pattern, symmetry, *analysis_.lock(), transposed, parallel_for);
    return kept;
}

}  // namespace frond::detail
