// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "frond/base/host_block.hpp"

namespace frond {

/// Scratch blocks of one size, lent to a task while it runs: at most one a worker is ever allocated.
class WorkspacePool {
public:
    explicit WorkspacePool(count_t block_bytes) : block_bytes_(block_bytes) {}

    class Lease {
    public:
        Lease(WorkspacePool& pool, HostBlock block) : pool_(pool), block_(std::move(block)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() { pool_.give_back(std::move(block_)); }
        void* data() const noexcept { return block_.data(); }
        template <class T>
        T* as() const noexcept {
            return static_cast<T*>(block_.data());
        }

    private:
        WorkspacePool& pool_;
        HostBlock block_;
    };

    /// @throws OutOfMemory, RuntimeError when more than block_bytes is asked for.
    Lease lend(count_t bytes);
    count_t block_bytes() const noexcept { return block_bytes_; }

private:
    void give_back(HostBlock block) noexcept;

    count_t block_bytes_;
    std::mutex mutex_;
    std::vector<HostBlock> idle_;
};

}  // namespace frond
