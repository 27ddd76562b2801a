// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/memory_account.hpp"
#include "memory/memory_budget.hpp"

namespace frond::detail {

/// What one unit takes that its prediction did not know of. Tasks use it; refused bytes throw
/// MemoryBudgetExceeded, and no worker waits.
class UnitAccount final : public cpu::MemoryAccount {
public:
    UnitAccount(MemoryBudget& budget, index_t front, index_t nfront)
        : budget_(budget), front_(front), nfront_(nfront) {}

    void take(count_t bytes) override;
    void give(count_t bytes) noexcept override { budget_.release_unforeseen(bytes); }

private:
    MemoryBudget& budget_;
    index_t front_, nfront_;
};

/// `bytes` of a front would make needed_bytes, which is more than the budget.
/// @throws MemoryBudgetExceeded
[[noreturn]] void refuse_bytes(const MemoryBudget& budget, index_t front, index_t nfront, count_t bytes,
                               count_t needed_bytes);

}  // namespace frond::detail
