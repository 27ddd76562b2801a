// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "frond/codelets/deferral.hpp"
#include "frond/cpu/memory_account.hpp"
#include "memory/memory_budget.hpp"

namespace frond::detail {

class DeferredUnits;

/// As errors name it.
struct NamedFront {
    index_t number = 0, order = 0;
};

/// What one unit takes that its prediction did not know of. No worker waits for memory: where the work
/// can be done again, what does not fit throws Deferred, and the thread that submits tries it again
/// when bytes are given back; elsewhere, and at the last try, it throws MemoryBudgetExceeded.
class UnitAccount final : public cpu::MemoryAccount, public Deferral {
public:
    /// repeatable: the unit is one task, which takes nothing before and can be run again.
    UnitAccount(MemoryBudget& budget, DeferredUnits& deferred, NamedFront front, bool repeatable)
        : budget_(budget), deferred_(deferred), front_(front), repeatable_(repeatable) {}

    void take(count_t bytes) override;
    void give(count_t bytes) noexcept override;
    void ensure(count_t bytes) override;
    void end_ensured() noexcept override;

    /// What has to fit before another try makes sense.
    count_t needed_bytes() const { return needed_bytes_; }
    /// What does not fit is an error at once: who would know that no other rank gives bytes back?
    void never_wait() { waits_ = false; }
    /// Nothing runs that could give bytes back.
    void set_last_try(bool last) { last_try_ = last; }

private:
    void wait_for_memory() noexcept override;
    [[noreturn]] void refuse(bool may_wait, count_t bytes, count_t sum_bytes);

    MemoryBudget& budget_;
    DeferredUnits& deferred_;
    NamedFront front_;
    bool repeatable_, last_try_ = false, waits_ = true;
    bool ensured_ = false;
    count_t credit_bytes_ = 0;  // ensured and not taken
    count_t needed_bytes_ = 0;
    std::atomic<count_t> taken_bytes_{0};
};

/// `bytes` of a front would make needed_bytes, which is more than the budget.
/// @throws MemoryBudgetExceeded
[[noreturn]] void refuse_bytes(const MemoryBudget& budget, NamedFront front, count_t bytes, count_t needed_bytes);

}  // namespace frond::detail
