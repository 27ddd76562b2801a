// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/memory_account.hpp"

#include <algorithm>

namespace frond::test {

/// What kernels have taken and not given, and the most of it; the most that was taken beyond what they had
/// asked to be ensured. One thread.
class CountingAccount final : public cpu::MemoryAccount {
public:
    void take(count_t bytes) override {
        used_bytes_ += bytes;
        peak_bytes_ = std::max(peak_bytes_, used_bytes_);
        if (ensured_up_to_ > 0) beyond_bytes_ = std::max(beyond_bytes_, used_bytes_ - ensured_up_to_);
    }
    void give(count_t bytes) noexcept override { used_bytes_ -= bytes; }

    void ensure(count_t bytes) override { ensured_up_to_ = used_bytes_ + bytes; }
    void end_ensured() noexcept override { ensured_up_to_ = 0; }

    count_t used_bytes() const { return used_bytes_; }
    count_t peak_bytes() const { return peak_bytes_; }
    count_t beyond_ensured_bytes() const { return beyond_bytes_; }

private:
    count_t used_bytes_ = 0, peak_bytes_ = 0;
    count_t ensured_up_to_ = 0, beyond_bytes_ = 0;
};

}  // namespace frond::test
