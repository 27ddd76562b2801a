// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond::cpu {

/// Counts memory whose size no analysis foresees: taken before it is allocated, given when it is freed.
/// Kernels get a pointer; null: nothing is counted. One account may be used by several threads.
class MemoryAccount {
public:
    /// @throws what its owner refuses with; then nothing was taken
    virtual void take(count_t bytes) = 0;
    virtual void give(count_t bytes) noexcept = 0;
    /// Until end_ensured, takes are not refused as long as they exceed what is given meanwhile by `bytes`
    /// at most. For work that cannot be undone: to be asked before anything is changed. One task at a time.
    /// @throws what its owner puts the work off with
    virtual void ensure(count_t /*bytes*/) {}
    virtual void end_ensured() noexcept {}

protected:
    ~MemoryAccount() = default;
};

/// Bytes taken from an account until the end of the scope, unless what was made of them stays.
class TakenBytes {
public:
    TakenBytes(MemoryAccount* account, count_t bytes) : account_(account), bytes_(bytes) {
        if (account_ != nullptr) account_->take(bytes_);
    }
    TakenBytes(const TakenBytes&) = delete;
    TakenBytes& operator=(const TakenBytes&) = delete;
    ~TakenBytes() {
        if (account_ != nullptr) account_->give(bytes_);
    }
    /// From here on the bytes are the caller's to give.
    void keep() noexcept { account_ = nullptr; }

private:
    MemoryAccount* account_;
    count_t bytes_;
};

/// Bytes ensured until the end of the scope.
class EnsuredBytes {
public:
    EnsuredBytes(MemoryAccount* account, count_t bytes) : account_(bytes > 0 ? account : nullptr) {
        if (account_ != nullptr) account_->ensure(bytes);
    }
    EnsuredBytes(const EnsuredBytes&) = delete;
    EnsuredBytes& operator=(const EnsuredBytes&) = delete;
    ~EnsuredBytes() {
        if (account_ != nullptr) account_->end_ensured();
    }

private:
    MemoryAccount* account_;
};

}  // namespace frond::cpu
