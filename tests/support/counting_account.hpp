// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/cpu/memory_account.hpp"

#include <algorithm>

namespace frond::test {

/// What kernels have taken and not given, and the most of it. One thread.
class CountingAccount final : public cpu::MemoryAccount {
public:
    void take(count_t bytes) override {
        used_bytes_ += bytes;
        peak_bytes_ = std::max(peak_bytes_, used_bytes_);
    }
    void give(count_t bytes) noexcept override { used_bytes_ -= bytes; }

    count_t used_bytes() const { return used_bytes_; }
    count_t peak_bytes() const { return peak_bytes_; }

private:
    count_t used_bytes_ = 0, peak_bytes_ = 0;
};

} // namespace frond::test
